/**
 * Files of answers behind a link. They stay in the page until the answers are sent; then they are kept on the device with them, until
 * the server has decided. Loaded for forms that ask for files.
 */

import { type LinkFile, linkFiles } from '#web/form/answers/linkFiles'
import { type EntryProblem, isKeptFile, type KeptFile } from '#web/form/answers/model'
import type { Address } from '#web/form/answers/sendFile'
import { typeOf, uploadFile } from '#web/form/answers/uploadFile'
import { ask, type FailedAnswer } from '#web/kit/api/send'
import { newId } from '#web/kit/storage/ids'
import type { Translator } from '#web/links/texts'

type Answers = Readonly<Record<string, { value: unknown }>>

/** Those of this page. A device that cannot keep them sends them all the same, as long as the page is open. */
const held = new Map<string, LinkFile>()

const filesIn = (answers: Answers): [dataType: string, KeptFile][] =>
  Object.entries(answers).flatMap(([dataType, { value }]) => (isKeptFile(value) ? [[dataType, value]] : []))

/** Holds a file that somebody has chosen, in the page. */
export function holdFile(bytes: Blob, name: string): KeptFile {
  const id = newId()
  held.set(id, { id, bytes })
  return { blob: id, name, type: bytes.type, size: bytes.size }
}

const storedFile = (id: string): Promise<LinkFile | undefined> =>
  linkFiles()
    .then((opened) => opened.get('files', id))
    .catch(() => undefined)

const heldFile = async (id: string): Promise<LinkFile | undefined> => held.get(id) ?? (await storedFile(id))

/** The bytes of a file, of this page or of answers that wait. */
export const bytesOf = async ({ blob }: KeptFile): Promise<Blob | undefined> => (await heldFile(blob))?.bytes

/** Keeps a file on the device. One that is kept stays as it is. */
async function keepFile(file: LinkFile): Promise<void> {
  const transaction = (await linkFiles()).transaction('files', 'readwrite')
  const { store } = transaction
  await Promise.all([store.getKey(file.id).then((known) => known ?? store.put(file)), transaction.done])
}

/** Keeps the files of answers on the device. Returns false if it could not keep all of them. */
export async function keepFiles(answers: Answers): Promise<boolean> {
  let isKept = true
  for (const [, { blob }] of filesIn(answers)) {
    const file = held.get(blob)
    if (file)
      await keepFile(file).catch(() => {
        isKept = false
      })
  }
  return isKept
}

/** Removes the files of answers about which the server has decided. @param isRefused they stay in the page, to be sent again */
export async function dropFiles(answers: Answers, isRefused: boolean): Promise<void> {
  for (const [, { blob }] of filesIn(answers)) {
    const file = isRefused ? await heldFile(blob) : undefined
    if (file) held.set(blob, file)
    else held.delete(blob)
    await linkFiles()
      .then((opened) => opened.delete('files', blob))
      .catch(() => undefined)
  }
}

/** Removes files that no answers name any more, as after a crash. @param texts what is kept of answers, of any link */
export async function sweepFiles(texts: readonly string[]): Promise<void> {
  const opened = await linkFiles()
  for (const id of await opened.getAllKeys('files'))
    if (!held.has(id) && !texts.some((text) => text.includes(id))) await opened.delete('files', id)
}

async function updateFile(file: LinkFile, changes: Pick<LinkFile, 'begun' | 'storedName'>): Promise<void> {
  const now = { ...file, ...changes }
  if (held.has(file.id)) held.set(file.id, now)
  // Only what is kept already: else a file of the page would stay on the device.
  await linkFiles()
    .then(async (opened) => (await opened.getKey('files', file.id)) !== undefined && opened.put('files', now))
    .catch(() => undefined)
}

type Outcome = { names: ReadonlyMap<string, string> } | { problem: EntryProblem } | { stopped: FailedAnswer }

/** Uploads the files of answers. Returns their stored names, or what stopped it. @param onProgress called with the name of the file that is sent, and the share that has left the device */
export async function uploadFiles(
  translator: Translator,
  path: string,
  answers: Answers,
  onProgress: (name: string, share: number) => void,
): Promise<Outcome> {
  const names = new Map<string, string>()
  for (const [dataType, { blob, name }] of filesIn(answers)) {
    // What is kept comes first: another tab may have sent a part of it.
    const file = (await storedFile(blob)) ?? held.get(blob)
    if (!file) return { problem: fileGoneProblem(translator, dataType) }
    if (file.storedName !== undefined) {
      names.set(blob, file.storedName)
      continue
    }
    const { bytes } = file
    const declared = { dataType, name, size: bytes.size, type: typeOf(bytes) }
    const outcome = await uploadFile({
      ...{ bytes, begun: file.begun, language: translator.language },
      ask: (fileName) =>
        ask<Address>(translator, 'POST', path, {
          body: { ...declared, ...(fileName === undefined ? {} : { fileName }) },
        }),
      keep: (begun) => updateFile(file, { begun }),
      onProgress: (share) => onProgress(name, share),
    })
    if (outcome.kind === 'gone') return { problem: fileGoneProblem(translator, dataType) }
    if (outcome.kind === 'stopped') return { stopped: outcome.answer }
    await updateFile(file, { storedName: outcome.fileName })
    names.set(blob, outcome.fileName)
  }
  return { names }
}

/** The bytes cannot be read any more. The person chooses the file again; the other answers are not sent without it. */
function fileGoneProblem({ t }: Translator, dataType: string): EntryProblem {
  const message = t('form.fileGone')
  const field = { code: 'constraint', params: { message }, text: message } as const
  return { status: 0, message, code: 'fileGone', fields: { [dataType]: field } }
}
