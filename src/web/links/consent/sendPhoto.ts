/** Sends the photo of an identity document: made smaller first, and told how far it is. */
import { photoOf } from '#web/app/form/widgets/photo'
import { here, type Refused, type Requests } from './server'

const TYPES = ['image/jpeg', 'image/png', 'image/webp', 'image/heic']
/** The most bytes that the server takes. */
const MOST = 10 * 1024 ** 2

export type Outcome =
  | { kind: 'sent'; preview: Blob }
  | { kind: 'type' | 'large' | 'lost' }
  | { kind: 'refused'; failure: Refused }

/** Milliseconds for a file of this size over a slow line, of ten kilobytes in a second. */
const patience = (size: number): number => 60_000 + size / 10

/** Answers whether the bytes arrived. */
function put(path: string, bytes: Blob, told: (share: number) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', path)
    request.setRequestHeader('Content-Type', bytes.type)
    request.timeout = patience(bytes.size)
    request.upload.onprogress = ({ loaded, total }) => told(total ? loaded / total : 0)
    request.onload = () => resolve(request.status >= 200 && request.status < 300)
    for (const end of ['error', 'abort', 'timeout'] as const) request.addEventListener(end, () => resolve(false))
    request.send(bytes)
  })
}

/** @param told how much has left the device, from 0 to 1 */
export async function sendPhoto(ask: Requests, chosen: File, told: (share: number) => void): Promise<Outcome> {
  const { bytes } = await photoOf(chosen)
  if (!TYPES.includes(bytes.type)) return { kind: 'type' }
  if (bytes.size > MOST) return { kind: 'large' }
  // The name of a file may say more than the person wants to tell.
  const name = `identity.${bytes.type.slice('image/'.length)}`
  const answer = await ask.askPhoto({ name, size: bytes.size, type: bytes.type })
  if (!answer.isDone) return { kind: 'refused', failure: answer }
  const hasArrived = await put(here(answer.body.signedRequestURL), bytes, told)
  return hasArrived ? { kind: 'sent', preview: bytes } : { kind: 'lost' }
}
