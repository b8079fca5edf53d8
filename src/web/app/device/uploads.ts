/** Files of an entry: each is uploaded once, before the answers are sent. */
import type { Answer } from '#web/common/api'
import { database, type KeptBlob, type QueuedEntry } from './database'
import type { KeptFile } from './model'
import { askAs, reached } from './request'

type Address = { signedRequestURL: string; fileName: string }

const isKeptFile = (value: unknown): value is KeptFile =>
  typeof value === 'object' && value !== null && 'blob' in value && typeof value.blob === 'string'

/** The answers as the server takes them, with the stored names of the files; or the answer that stopped the upload. */
export async function uploaded(
  entry: QueuedEntry,
): Promise<{ answers: Record<string, unknown> } | Extract<Answer<never>, { isDone: false }>> {
  const answers: Record<string, unknown> = {}
  for (const [dataType, { value, createdAt }] of Object.entries(entry.answers)) {
    if (!isKeptFile(value)) {
      answers[dataType] = { value, createdAt }
      continue
    }
    const blob = await (await database()).get('blobs', value.blob)
    if (!blob) continue // its bytes are gone: the server says which answer is missing
    const name = blob.storedName ?? (await upload(blob))
    if (typeof name !== 'string') return name
    answers[dataType] = { value: { fileName: name, name: value.name }, createdAt }
  }
  return { answers }
}

/** Uploads the bytes and keeps the stored name. */
async function upload(blob: KeptBlob): Promise<string | Extract<Answer<never>, { isDone: false }>> {
  const { bytes, name } = blob
  const type = bytes.type || 'application/octet-stream'
  const kind = type.startsWith('video/') ? 'video' : 'file'
  const query = new URLSearchParams({ name, size: String(bytes.size), type, forType: 'participant' })
  const asked = await askAs<Address>('GET', `/uploads/${kind}/request?${query}`)
  if (!asked.isDone) return asked
  const { signedRequestURL, fileName } = asked.body
  const problem = { isDone: false as const, message: '', fields: {}, details: {} }
  try {
    const url = new URL(signedRequestURL, location.origin)
    const answer = await fetch(url.pathname + url.search, {
      method: 'PUT',
      body: bytes,
      headers: { 'Content-Type': type },
    })
    if (!answer.ok) return { ...problem, status: answer.status >= 500 ? answer.status : 503 }
  } catch {
    reached.value = false
    return { ...problem, status: 0 }
  }
  await (await database()).put('blobs', { ...blob, storedName: fileName })
  return fileName
}
