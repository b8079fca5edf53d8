/**
 * Sends the bytes of one file. A large one goes in parts, so that a line that breaks costs at most the part that was on its way
 * (docs/contract.md, "Files").
 */
import type { AnswerOf } from '#web/kit/api/operations'

/** Larger files go in parts of this many bytes. */
export const PART_SIZE = 512 * 1024
/** How many responses in a row may report no progress. */
const MOST_STANDSTILLS = 5

/** Where a file goes, and the name that it has there. */
export type Address = Pick<AnswerOf<'requestFileUpload'>, 'signedRequestURL' | 'fileName'>

/** The fields of a response of the server. If a proxy or a captive portal responded, all are absent. */
type UploadResponse = {
  status: number
  body: { message?: unknown; fileName?: unknown; received?: unknown; details?: unknown }
}

/**
 * `done`: the server has all of it. `gone`: the bytes cannot be read any more. `expired`: another address is needed. `refused`: the
 * server does not take it, in its words. `later`: nothing is known, with the status if somebody answered.
 */
export type Outcome =
  | { kind: 'done' | 'gone' | 'expired' }
  | { kind: 'refused'; status: number; message: string; details: Readonly<Record<string, unknown>> }
  | { kind: 'later'; status: number }

type PutBytes = (
  url: string,
  type: string,
  range: string | undefined,
  body: Blob | null,
  onProgress: (bytes: number) => void,
) => Promise<UploadResponse>

/** Milliseconds for so many bytes over a slow line, of ten kilobytes in a second. */
const timeoutFor = (size: number): number => 60_000 + size / 10

function parseResponse(status: number, text: string): UploadResponse {
  try {
    return { status, body: Object(JSON.parse(text)) }
  } catch {
    return { status, body: {} }
  }
}

/** `fetch` does not report upload progress. Rejects if there is no response. */
const putInPage: PutBytes = (url, type, range, body, onProgress) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', type)
    if (range !== undefined) request.setRequestHeader('Content-Range', range)
    request.timeout = timeoutFor(body?.size ?? 0)
    request.upload.onprogress = ({ loaded }) => onProgress(loaded)
    request.onload = () => resolve(parseResponse(request.status, request.responseText))
    for (const end of ['error', 'abort', 'timeout'] as const)
      request.addEventListener(end, () => reject(new Error(end)))
    request.send(body)
  })

/** The service worker has nobody to show progress to, and no other way to send. */
const putInWorker: PutBytes = async (url, type, range, body) => {
  const headers = { 'Content-Type': type, ...(range === undefined ? {} : { 'Content-Range': range }) }
  const signal = AbortSignal.timeout(timeoutFor(body?.size ?? 0))
  const answer = await fetch(url, { method: 'PUT', headers, body, signal })
  return parseResponse(answer.status, await answer.text())
}

const putBytes = 'XMLHttpRequest' in globalThis ? putInPage : putInWorker

/** Bytes in memory; undefined if the browser cannot read them any more. */
const read = async (bytes: Blob): Promise<Blob | undefined> =>
  bytes.arrayBuffer().then(
    (buffer) => new Blob([buffer]),
    () => undefined,
  )

/** The number of bytes that the server has, if it says so. */
function receivedIn({ status, body }: UploadResponse): number | undefined {
  const { received } = status === 202 ? body : status === 409 ? Object(body.details) : {}
  return Number.isSafeInteger(received) ? received : undefined
}

/** What an answer means that says neither that all has arrived, nor how much. */
function outcomeOf({ status, body }: UploadResponse): Outcome {
  const { message, details } = body
  // A portal answers with a page, and proxies with what they like: only this server has a message.
  if (typeof message !== 'string') return { kind: 'later', status }
  if (status === 403 || status === 404) return { kind: 'expired' }
  const isRefusal = [400, 413, 415].includes(status) && Object(details).code !== 'cutShort'
  return isRefusal ? { kind: 'refused', status, message, details: Object(details) } : { kind: 'later', status }
}

/**
 * Sends a file to its address. @param hasBegun whether a part of it may be there; @param onProgress called with the share that has left the device, from
 * 0 to 1
 */
export async function sendBytes(
  bytes: Blob,
  { signedRequestURL, fileName, type }: Address & { type: string },
  hasBegun: boolean,
  onProgress: (share: number) => void,
  put = putBytes,
): Promise<Outcome> {
  const { size } = bytes
  const isWhole = size <= PART_SIZE
  let [at, isKnown, standstills] = [0, isWhole || !hasBegun, 0]
  while (standstills < MOST_STANDSTILLS) {
    const end = isWhole ? size : Math.min(at + PART_SIZE, size)
    const body = isKnown ? await read(bytes.slice(at, end)) : null
    if (body === undefined) return { kind: 'gone' }
    const range = isWhole ? undefined : `bytes ${isKnown ? `${at}-${end - 1}` : '*'}/${size}`
    const from = at
    const response = await put(signedRequestURL, type, range, body, (sent) =>
      onProgress(Math.min(1, (from + sent) / size)),
    ).catch(() => undefined)
    if (!response) return { kind: 'later', status: 0 }
    if (response.status >= 200 && response.status < 300 && response.body.fileName === fileName) return { kind: 'done' }
    const received = isWhole ? undefined : receivedIn(response)
    if (received === undefined || received >= size) return outcomeOf(response)
    standstills = isKnown && received <= at ? standstills + 1 : 0
    ;[at, isKnown] = [received, true]
    onProgress(at / size)
  }
  return { kind: 'later', status: 0 }
}
