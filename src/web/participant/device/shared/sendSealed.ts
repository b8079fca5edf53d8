/** Sends sealed answers to the server, also while another person or nobody is signed in. */

import type { Answer } from '#web/kit/api/send'
import { withLock } from '#web/kit/storage/locks'
import { askAs } from '#web/participant/device/request'
import {
  type Envelope,
  forgetEnvelope,
  forgetFile,
  keepEnvelope,
  keepPart,
  partAt,
  readyEnvelopes,
  readyFiles,
  type SealedFile,
} from './tabletDatabase'

/** How often it is tried while something waits, in milliseconds. */
const EVERY = 60_000

/** Milliseconds that the server has for one of them. */
const REQUEST_TIMEOUT = 60_000

const postSealed = <T>(path: string, body: object): Promise<Answer<T>> =>
  askAs<T>('POST', path, { body, signal: AbortSignal.timeout(REQUEST_TIMEOUT) })

/** Whether it is for another time: there is no connection, a page of a portal answered, or the server is busy. */
const isForLater = ({ isRefusal, status }: { isRefusal?: boolean; status: number }): boolean =>
  !isRefusal || status === 429 || status >= 500

/** Hands a file over, from where the server has it. Returns whether to go on with the next. */
async function sendSealedFile(file: SealedFile): Promise<boolean> {
  let at = 0
  for (;;) {
    const part = await partAt(file, at)
    // The tablet was switched off before the file was sealed to its end: no entry refers to it.
    if (!part || part.to <= at) return forgetFile(file).then(() => true)
    const { device, envelope } = part
    const answer = await postSealed<{ received: number; isComplete: boolean }>('/shared-devices/files', {
      device,
      envelope,
    })
    if (!answer.isDone) {
      if (isForLater(answer)) return false
      const first = await partAt(file, 0)
      if (first) await keepPart({ ...first, problem: answer.message })
      return true
    }
    const { received, isComplete } = answer.body
    if (isComplete) return forgetFile(file).then(() => true)
    if (received <= at) return false
    at = received
  }
}

/** Hands one over. Returns whether to go on with the next. */
async function sendEnvelope(each: Envelope): Promise<boolean> {
  const { id, device, envelope } = each
  const answer = await postSealed('/shared-devices/envelopes', { device, envelope })
  if (answer.isDone) {
    await forgetEnvelope(id)
    return true
  }
  if (isForLater(answer)) return false
  await keepEnvelope({ ...each, problem: answer.message })
  return true
}

/** Files first: an entry refers to its own. */
async function sendFilesThenEnvelopes(): Promise<void> {
  for (const file of await readyFiles()) if (!(await sendSealedFile(file))) return
  for (const each of await readyEnvelopes()) if (!(await sendEnvelope(each))) return
}

async function sendAllSealed(): Promise<void> {
  await sendFilesThenEnvelopes()
  await readyEnvelopes()
}

/** Tries to hand over all that waits. Never rejects. */
export const sendSealedNow = (): Promise<void> => withLock('envelopes', sendAllSealed).catch(() => undefined)

/** Tries now, each minute, and when there is a connection again. Call it once. */
export function keepSendingSealed(): void {
  void sendSealedNow()
  addEventListener('online', () => void sendSealedNow())
  setInterval(() => void sendSealedNow(), EVERY)
}
