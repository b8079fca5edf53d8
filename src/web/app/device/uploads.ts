/** Files of an entry: each is uploaded once, before the answers are sent. */
import { signal } from '@preact/signals'
import type { Answer } from '#web/common/api'
import { database, type KeptBlob, type QueuedEntry, STRICT } from './database'
import type { EntryProblem, KeptFile, Person } from './model'
import { askAs, reached, speaking } from './request'

type Address = { signedRequestURL: string; fileName: string }

export const isKeptFile = (value: unknown): value is KeptFile =>
  typeof value === 'object' && value !== null && 'blob' in value && typeof value.blob === 'string'

type Refused = Extract<Answer<never>, { isDone: false }>
type Uploaded = { answers: Record<string, unknown> } | { problem: EntryProblem } | Refused

/** The bytes are not on the device any more. The person chooses the file again; the other answers are not sent without it. */
function gone(dataType: string): EntryProblem {
  const message = speaking.value?.say('queue.fileGone') ?? ''
  return {
    status: 0,
    message,
    code: 'fileGone',
    fields: { [dataType]: { code: 'constraint', params: { message }, text: message } },
  }
}

/**
 * The answers as the server takes them, with the stored names of the files; or the answer that stopped the upload, or what is wrong
 * with the entry. @param person whose entry it is
 */
export async function uploaded(entry: QueuedEntry, person: Person): Promise<Uploaded> {
  const answers: Record<string, unknown> = {}
  for (const [dataType, { value, createdAt }] of Object.entries(entry.answers)) {
    if (!isKeptFile(value)) {
      answers[dataType] = { value, createdAt }
      continue
    }
    const blob = await (await database()).get('blobs', value.blob)
    if (!blob) return { problem: gone(dataType) }
    const name = blob.storedName ?? (await upload(blob, person))
    if (typeof name !== 'string') return name
    answers[dataType] = { value: { fileName: name, name: value.name }, createdAt }
  }
  return { answers }
}

/** Milliseconds for a file of this size over a slow line, of ten kilobytes in a second. */
const patience = (size: number): number => 60_000 + size / 10

const typeOf = (bytes: Blob): string => bytes.type || 'application/octet-stream'

/** Uploads the bytes and keeps the stored name. */
async function upload(blob: KeptBlob, person: Person): Promise<string | Refused> {
  const { bytes, name } = blob
  const type = typeOf(bytes)
  const kind = type.startsWith('video/') ? 'video' : 'file'
  const query = new URLSearchParams({ name, size: String(bytes.size), type, forType: 'participant' })
  const asked = await askAs<Address>('GET', `/uploads/${kind}/request?${query}`, { as: person })
  if (!asked.isDone) return asked
  const { signedRequestURL, fileName } = asked.body
  const refused = await sendBytes(blob, signedRequestURL, fileName)
  if (refused) return refused
  await keepName(blob.id, fileName)
  return fileName
}

/** How much of each file that is on its way has left the device, by the id of its bytes: from 0 to 1. */
export const sharesSent = signal<ReadonlyMap<string, number>>(new Map())

function note(id: string, share: number | undefined): void {
  const now = new Map(sharesSent.value)
  if (share === undefined) now.delete(id)
  else now.set(id, share)
  sharesSent.value = now
}

/** Sends bytes, as `fetch` does, and tells how far it is. Rejects without an answer. */
function putBytes(path: string, bytes: Blob, told: (share: number) => void) {
  return new Promise<{ status: number; text: string }>((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.setRequestHeader('Content-Type', typeOf(bytes))
    request.timeout = patience(bytes.size)
    request.upload.onprogress = ({ loaded, total }) => told(total ? loaded / total : 0)
    request.onload = () => resolve({ status: request.status, text: request.responseText })
    for (const end of ['error', 'abort', 'timeout'] as const)
      request.addEventListener(end, () => reject(new Error(end)))
    request.send(bytes)
  })
}

/** Sends the bytes to their address. Returns why they did not arrive. */
async function sendBytes(blob: KeptBlob, address: string, fileName: string): Promise<Refused | undefined> {
  const { id, bytes } = blob
  const problem = { isDone: false as const, message: '', fields: {}, details: {} }
  try {
    const { pathname, search } = new URL(address, location.origin)
    const { status, text } = await putBytes(pathname + search, bytes, (share) => note(id, share))
    const isDone = status >= 200 && status < 300
    const said = saidIn(text)
    // A portal may answer with a page, and success: only the server knows the name.
    if (isDone && said.fileName === fileName) return
    const message = typeof said.message === 'string' ? said.message : undefined
    // An address that is too old (403, 404) is asked for anew with the next try.
    const isRefusal = !isDone && message !== undefined && ![403, 404].includes(status)
    return { ...problem, status, message: message ?? '', isRefusal }
  } catch {
    reached.value = false
    return { ...problem, status: 0 }
  } finally {
    note(id, undefined)
  }
}

/** The fields of an answer of this server; none if a proxy or a portal answered. */
function saidIn(text: string): { message?: unknown; fileName?: unknown } {
  try {
    return Object(JSON.parse(text))
  } catch {
    return {}
  }
}

/** Notes the stored name at the bytes as they are now: they may belong to a draft again, or be gone. */
async function keepName(id: string, storedName: string): Promise<void> {
  const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
  const now = await transaction.store.get(id)
  if (now) await transaction.store.put({ ...now, storedName })
  await transaction.done
}
