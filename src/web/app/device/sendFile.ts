/**
 * Sends the bytes of one file. A large one goes in parts, so that a line that breaks costs at most the part that was on its way
 * (docs/contract.md, "Files").
 */

/** Larger files go in parts of this many bytes. */
export const PART = 512 * 1024
/** How many answers in a row may say that nothing more has arrived. */
const MOST_STANDSTILLS = 5

/** Where a file goes, and the name that it has there. */
export type Address = { signedRequestURL: string; fileName: string }

/** The fields of an answer of the server; none of them if a proxy or a portal answered. */
type Said = { status: number; body: { message?: unknown; fileName?: unknown; received?: unknown; details?: unknown } }

/**
 * `done`: the server has all of it. `gone`: the bytes cannot be read any more. `expired`: another address is needed. `refused`: the
 * server does not take it, in its words. `later`: nothing is known, with the status if somebody answered.
 */
export type Outcome =
  | { kind: 'done' | 'gone' | 'expired' }
  | { kind: 'refused'; status: number; message: string }
  | { kind: 'later'; status: number }

type Put = (
  url: string,
  type: string,
  range: string | undefined,
  body: Blob | null,
  told: (bytes: number) => void,
) => Promise<Said>

/** Milliseconds for so many bytes over a slow line, of ten kilobytes in a second. */
const patience = (size: number): number => 60_000 + size / 10

function readSaid(status: number, text: string): Said {
  try {
    return { status, body: Object(JSON.parse(text)) }
  } catch {
    return { status, body: {} }
  }
}

/** `fetch` does not tell how much has left the device. Rejects without an answer. */
const putInPage: Put = (url, type, range, body, told) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('PUT', url)
    request.setRequestHeader('Content-Type', type)
    if (range !== undefined) request.setRequestHeader('Content-Range', range)
    request.timeout = patience(body?.size ?? 0)
    request.upload.onprogress = ({ loaded }) => told(loaded)
    request.onload = () => resolve(readSaid(request.status, request.responseText))
    for (const end of ['error', 'abort', 'timeout'] as const)
      request.addEventListener(end, () => reject(new Error(end)))
    request.send(body)
  })

/** In the service worker, which has nobody to tell it to, and no other way. */
const putInWorker: Put = async (url, type, range, body) => {
  const headers = { 'Content-Type': type, ...(range === undefined ? {} : { 'Content-Range': range }) }
  const signal = AbortSignal.timeout(patience(body?.size ?? 0))
  const answer = await fetch(url, { method: 'PUT', headers, body, signal })
  return readSaid(answer.status, await answer.text())
}

const putBytes = 'XMLHttpRequest' in globalThis ? putInPage : putInWorker

/** Bytes in memory; undefined if the browser cannot read them any more. */
const read = async (bytes: Blob): Promise<Blob | undefined> =>
  bytes.arrayBuffer().then(
    (buffer) => new Blob([buffer]),
    () => undefined,
  )

/** The number of bytes that the server has, if it says so. */
function receivedIn({ status, body }: Said): number | undefined {
  const { received } = status === 202 ? body : status === 409 ? Object(body.details) : {}
  return Number.isSafeInteger(received) ? received : undefined
}

/** What an answer means that says neither that all has arrived, nor how much. */
function outcomeOf({ status, body }: Said): Outcome {
  const { message, details } = body
  // A portal answers with a page, and proxies with what they like: only this server has a message.
  if (typeof message !== 'string') return { kind: 'later', status }
  if (status === 403 || status === 404) return { kind: 'expired' }
  const isRefusal = [400, 413, 415].includes(status) && Object(details).code !== 'cutShort'
  return isRefusal ? { kind: 'refused', status, message } : { kind: 'later', status }
}

/**
 * Sends a file to its address. @param hasBegun whether a part of it may be there; @param told the share that has left the device, from
 * 0 to 1
 */
export async function sendBytes(
  bytes: Blob,
  { signedRequestURL, fileName, type }: Address & { type: string },
  hasBegun: boolean,
  told: (share: number) => void,
  put = putBytes,
): Promise<Outcome> {
  const { size } = bytes
  const isWhole = size <= PART
  let [at, isKnown, standstills] = [0, isWhole || !hasBegun, 0]
  while (standstills < MOST_STANDSTILLS) {
    const end = isWhole ? size : Math.min(at + PART, size)
    const body = isKnown ? await read(bytes.slice(at, end)) : null
    if (body === undefined) return { kind: 'gone' }
    const range = isWhole ? undefined : `bytes ${isKnown ? `${at}-${end - 1}` : '*'}/${size}`
    const from = at
    const said = await put(signedRequestURL, type, range, body, (sent) =>
      told(Math.min(1, (from + sent) / size)),
    ).catch(() => undefined)
    if (!said) return { kind: 'later', status: 0 }
    if (said.status >= 200 && said.status < 300 && said.body.fileName === fileName) return { kind: 'done' }
    const received = isWhole ? undefined : receivedIn(said)
    if (received === undefined || received >= size) return outcomeOf(said)
    standstills = isKnown && received <= at ? standstills + 1 : 0
    ;[at, isKnown] = [received, true]
    told(at / size)
  }
  return { kind: 'later', status: 0 }
}
