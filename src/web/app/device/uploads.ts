/** Files of an entry: each is uploaded once, before the answers are sent. */
import type { Answer } from '#web/common/api'
import { database, type KeptBlob, type QueuedEntry, STRICT } from './database'
import type { EntryProblem, KeptFile, Person } from './model'
import { askAs, reached, speaking } from './request'

type Address = { signedRequestURL: string; fileName: string }

const isKeptFile = (value: unknown): value is KeptFile =>
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

/** Uploads the bytes and keeps the stored name. */
async function upload(blob: KeptBlob, person: Person): Promise<string | Refused> {
  const { bytes, name } = blob
  const type = bytes.type || 'application/octet-stream'
  const kind = type.startsWith('video/') ? 'video' : 'file'
  const query = new URLSearchParams({ name, size: String(bytes.size), type, forType: 'participant' })
  const asked = await askAs<Address>('GET', `/uploads/${kind}/request?${query}`, { as: person })
  if (!asked.isDone) return asked
  const { signedRequestURL, fileName } = asked.body
  const refused = await sendBytes(signedRequestURL, bytes, type)
  if (refused) return refused
  await keepName(blob.id, fileName)
  return fileName
}

/** Sends the bytes to their address. Returns why they did not arrive. */
async function sendBytes(address: string, bytes: Blob, type: string): Promise<Refused | undefined> {
  const problem = { isDone: false as const, message: '', fields: {}, details: {} }
  try {
    const { pathname, search } = new URL(address, location.origin)
    const signal = AbortSignal.timeout(patience(bytes.size))
    const answer = await fetch(pathname + search, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': type },
      signal,
    })
    if (answer.ok) return
    const { message }: { message?: unknown } = (await answer.json().catch(() => undefined)) ?? {}
    // An address that is too old (403, 404) is asked for anew with the next try.
    const isRefusal = typeof message === 'string' && ![403, 404].includes(answer.status)
    return { ...problem, status: answer.status, message: typeof message === 'string' ? message : '', isRefusal }
  } catch {
    reached.value = false
    return { ...problem, status: 0 }
  }
}

/** Notes the stored name at the bytes as they are now: they may belong to a draft again, or be gone. */
async function keepName(id: string, storedName: string): Promise<void> {
  const transaction = (await database()).transaction('blobs', 'readwrite', STRICT)
  const now = await transaction.store.get(id)
  if (now) await transaction.store.put({ ...now, storedName })
  await transaction.done
}
