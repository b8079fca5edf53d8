/** Uploads a file for a message: asks for a place, and puts the bytes there. */

import type { AnswerOf } from '#web/kit/api/operations'
import type { Answer } from '#web/kit/api/send'
import { askAs } from '#web/participant/device/request'

/** The most bytes of a file, as the server says. */
export const MOST_BYTES = 30 * 1024 * 1024

/** The address within this server: it may be reached by another name than its own. */
const localPath = (url: string): string => {
  const { pathname, search } = new URL(url, location.href)
  return pathname + search
}

/** Returns the stored name. @param onShare how much has been sent, from 0 to 1 */
export async function upload(file: File, onShare: (share: number) => void): Promise<Answer<string>> {
  const type = file.type || 'application/octet-stream'
  const query = new URLSearchParams({ name: file.name, size: `${file.size}`, type, forType: 'participant' })
  const place = await askAs<AnswerOf<'requestFileUpload'>>('GET', `/uploads/file/request?${query}`)
  if (!place.isDone) return place
  const { signedRequestURL, fileName } = place.body
  const status = await put(localPath(signedRequestURL), file, type, onShare)
  if (status >= 200 && status < 300) return { isDone: true, body: fileName }
  return { isDone: false, status, message: '', fields: {}, details: {} }
}

/** `fetch` does not tell how far an upload is. */
const put = (url: string, file: File, type: string, onShare: (share: number) => void): Promise<number> =>
  new Promise((resolve) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', type)
    request.upload.addEventListener('progress', ({ loaded, total }) => onShare(total ? loaded / total : 0))
    request.addEventListener('loadend', () => resolve(request.status))
    request.send(file)
  })
