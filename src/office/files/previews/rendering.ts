/** Renderings of versions: each is made once a day at most, and kept with the exports. */
import { rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { renderingName } from '#conduct/uploads/renderings'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import { type Id, newSecret } from '#kernel/id'
import { machineRefusal } from '#kernel/machine'
import { refuse } from '#kernel/problem'
import { HOUR } from '#kernel/time'
import type { VersionRow } from '#office/files/store'
import { previewFile } from './job'
import { previewKindOf } from './kinds'

/** The name of a rendering, as a link has it, and its media type. */
export type Rendering = { name: string; type: string }

const types = { html: 'text/html; charset=utf-8', pdf: 'application/pdf' } as const

/** A rendering is removed a day after it was made; half of that is left for the links to it. */
const KEPT = 12 * HOUR

/**
 * The rendering of a version, from a process that reads the document.
 * @param by the account whose turn it is in the queue of such work
 * @throws 400 with the reason if it cannot be shown; what `performForRequest` throws
 */
export async function renderingOf(
  services: Services,
  version: VersionRow,
  by: { user: { _id: Id } },
): Promise<Rendering> {
  const kind = previewKindOf(version)
  if (!kind) throw refuse.bad('notShownInBrowsers')
  const extension = kind === 'pdf' ? 'pdf' : 'html'
  const name = renderingName(version._id, extension)
  const path = join(services.storage.exports, name)
  if (kind !== 'image' && (await isFresh(path))) return { name, type: types[extension] }
  const task = { storedName: version.storedName, title: version.name, kind }
  const rendered = await performForRequest(services, previewFile, task, by)
  if ('image' in rendered) return { name: renderingName(version._id), type: rendered.image }
  await write(services, path, 'pdf' in rendered ? Buffer.from(rendered.pdf, 'base64') : rendered.html)
  return { name, type: types[extension] }
}

async function isFresh(path: string): Promise<boolean> {
  const file = await stat(path).catch(() => undefined)
  return file !== undefined && file.mtimeMs > Date.now() - KEPT / 1000
}

/** Writes the whole file or none: a link may read it at the same time. */
async function write({ storage, fault }: Services, path: string, content: string | Uint8Array): Promise<void> {
  const temporary = join(storage.exports, newSecret())
  try {
    await Bun.write(temporary, content)
    await rename(temporary, path)
  } catch (reason) {
    await rm(temporary, { force: true })
    const refusal = machineRefusal(reason)
    if (!refusal) throw reason
    fault(reason, previewFile.kind)
    throw refusal
  }
}
