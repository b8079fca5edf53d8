/** Sends the photo of an identity document: scaled down first, with progress. */
import { localPath } from '#web/kit/api/localPath'
import type { FailedAnswer, Requests } from './requests'

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']
/** The most bytes that the server takes. */
const MOST = 10 * 1024 ** 2

export type Outcome =
  | { kind: 'sent'; preview: Blob }
  | { kind: 'type' | 'large' | 'lost' }
  | { kind: 'refused'; failure: FailedAnswer }

/** Milliseconds for a file of this size over a slow line, of ten kilobytes in a second. */
const timeoutFor = (size: number): number => 60_000 + size / 10

/** Returns whether the bytes arrived. */
function put(path: string, bytes: Blob, onProgress: (share: number) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.setRequestHeader('Content-Type', bytes.type)
    request.timeout = timeoutFor(bytes.size)
    request.upload.onprogress = ({ loaded, total }) => onProgress(total ? loaded / total : 0)
    request.onload = () => resolve(request.status >= 200 && request.status < 300)
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, () => resolve(false))
    request.send(bytes)
  })
}

/** @param onProgress called with the share that has left the device, from 0 to 1 */
export async function sendPhoto(ask: Requests, chosen: File, onProgress: (share: number) => void): Promise<Outcome> {
  const photo = await import('#web/form/widgets/photo').catch(() => undefined)
  // Without a connection it cannot be sent either.
  if (!photo) return { kind: 'lost' }
  const { bytes } = await photo.photoOf(chosen)
  if (!TYPES.includes(bytes.type)) return { kind: 'type' }
  if (bytes.size > MOST) return { kind: 'large' }
  // The name of a file may say more than the person wants to tell.
  const name = `identity.${bytes.type.slice('image/'.length)}`
  const answer = await ask.askPhoto({ name, size: bytes.size, type: bytes.type })
  if (!answer.isDone) return { kind: 'refused', failure: answer }
  const hasArrived = await put(localPath(answer.body.signedRequestURL), bytes, onProgress)
  return hasArrived ? { kind: 'sent', preview: bytes } : { kind: 'lost' }
}
