/** Files of an entry: each is uploaded once, before the answers are sent. */
import { signal } from '@preact/signals-core'
import { type EntryProblem, isKeptFile } from '#web/form/answers/model'
import type { Address } from '#web/form/answers/sendFile'
import { typeOf, uploadFile } from '#web/form/answers/uploadFile'
import type { Answer, FailedAnswer } from '#web/kit/api/send'
import { database, type KeptBlob, type QueuedEntry, STRICT } from './database'
import type { Person } from './model'
import { askAs, currentTranslator, isServerReachable } from './request'

type UploadedAnswers = { answers: Record<string, unknown> } | { problem: EntryProblem } | FailedAnswer

/** The bytes are not on the device any more. The person chooses the file again; the other answers are not sent without it. */
function fileGoneProblem(dataType: string): EntryProblem {
  const message = currentTranslator.value?.t('form.fileGone') ?? ''
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
export async function uploadAnswers(entry: QueuedEntry, person: Person): Promise<UploadedAnswers> {
  const answers: Record<string, unknown> = {}
  for (const [dataType, { value, createdAt }] of Object.entries(entry.answers)) {
    if (!isKeptFile(value)) {
      answers[dataType] = { value, createdAt }
      continue
    }
    const blob = await (await database()).get('blobs', value.blob)
    if (!blob) return { problem: fileGoneProblem(dataType) }
    const name = blob.storedName ?? (await upload(blob, person))
    if (name === 'gone') return { problem: fileGoneProblem(dataType) }
    if (typeof name !== 'string') return name
    answers[dataType] = { value: { fileName: name, name: value.name }, createdAt }
  }
  return { answers }
}

/** Asks where the bytes can be sent. @param begun the name of an upload that goes on */
function addressOf({ bytes, name }: KeptBlob, person: Person, begun: string | undefined): Promise<Answer<Address>> {
  const type = typeOf(bytes)
  const kind = type.startsWith('video/') ? 'video' : 'file'
  const query = new URLSearchParams({ name, size: String(bytes.size), type, forType: 'participant' })
  if (begun !== undefined) query.set('fileName', begun)
  return askAs<Address>('GET', `/uploads/${kind}/request?${query}`, { as: person })
}

/** Uploads the bytes and keeps the stored name; `gone` if they cannot be read. What has arrived before counts. */
async function upload(blob: KeptBlob, person: Person): Promise<string | 'gone' | FailedAnswer> {
  const { id, bytes } = blob
  const outcome = await uploadFile({
    ...{ bytes, begun: blob.begun, language: currentTranslator.value?.language ?? 'en' },
    ask: (begun) => addressOf(blob, person, begun),
    keep: (begun) => updateBlob(id, { begun }),
    onProgress: (share) => setShareSent(id, share),
  })
  setShareSent(id, undefined)
  if (outcome.kind === 'gone') return 'gone'
  if (outcome.kind === 'stopped') {
    if (outcome.answer.status === 0) isServerReachable.value = false
    return outcome.answer
  }
  await updateBlob(id, { storedName: outcome.fileName })
  return outcome.fileName
}

/** How much of each file that is on its way has left the device, by the id of its bytes: from 0 to 1. */
export const sharesSent = signal<ReadonlyMap<string, number>>(new Map())

function setShareSent(id: string, share: number | undefined): void {
  const now = new Map(sharesSent.value)
  if (share === undefined) now.delete(id)
  else now.set(id, share)
  sharesSent.value = now
}

/** Notes how far the upload is at the bytes as they are now: they may belong to a draft again, or be gone. */
async function updateBlob(id: string, what: Pick<KeptBlob, 'begun' | 'storedName'>): Promise<void> {
  const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
  const now = await transaction.store.get(id)
  if (now) await transaction.store.put({ ...now, ...what })
  await transaction.done
}
