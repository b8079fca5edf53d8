/** Files of an entry: each is uploaded once, before the answers are sent. */
import type { Answer } from '#web/common/api'
import { database, type KeptBlob, type QueuedEntry, STRICT } from './database'
import type { KeptFile, Person } from './model'
import { askAs, reached } from './request'

type Failed = Extract<Answer<never>, { isDone: false }>
type Address = { signedRequestURL: string; fileName: string }

const isKeptFile = (value: unknown): value is KeptFile =>
  typeof value === 'object' && value !== null && 'blob' in value && typeof value.blob === 'string'

type Answers = Record<string, unknown>

/**
 * The answers as the server takes them, with the stored names of the files. `failed`: the answer that stopped an upload. `gone`: the
 * bytes of a file are not on the device any more; nothing is sent without it, as nobody would learn of it.
 */
export type Uploaded =
  | { kind: 'ready'; answers: Answers }
  | { kind: 'failed'; answer: Failed }
  | { kind: 'gone'; name: string; message: string; others: Answers }

export async function uploaded(entry: QueuedEntry, person: Person): Promise<Uploaded> {
  const answers: Answers = {}
  const gone: string[] = []
  for (const [dataType, { value, createdAt }] of Object.entries(entry.answers)) {
    if (!isKeptFile(value)) {
      answers[dataType] = { value, createdAt }
      continue
    }
    const blob = await (await database()).get('blobs', value.blob)
    if (!blob) {
      gone.push(value.name)
      continue
    }
    const name = blob.storedName ?? (await upload(blob, person))
    if (typeof name !== 'string') return { kind: 'failed', answer: name }
    answers[dataType] = { value: { fileName: name, name: value.name }, createdAt }
  }
  if (!gone.length) return { kind: 'ready', answers }
  const names = gone.join(', ')
  return { kind: 'gone', name: names, message: `The device has lost this file: ${names}`, others: answers }
}

/** Uploads the bytes and keeps the stored name. */
async function upload({ id, bytes, name }: KeptBlob, person: Person): Promise<string | Failed> {
  const type = bytes.type || 'application/octet-stream'
  const kind = type.startsWith('video/') ? 'video' : 'file'
  const query = new URLSearchParams({ name, size: String(bytes.size), type, forType: 'participant' })
  const asked = await askAs<Address>('GET', `/uploads/${kind}/request?${query}`, { as: person })
  if (!asked.isDone) return asked
  const { signedRequestURL, fileName } = asked.body
  // The next try gets another address: none of these is for ever.
  const failed: Failed = { isDone: false, status: 0, message: '', fields: {}, details: {} }
  try {
    const url = new URL(signedRequestURL, location.origin)
    const answer = await fetch(url.pathname + url.search, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': type },
    })
    if (!answer.ok) return failed
  } catch {
    reached.value = false
    return failed
  }
  const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
  const now = await transaction.store.get(id)
  if (now) await transaction.store.put({ ...now, storedName: fileName })
  await transaction.done
  return fileName
}
