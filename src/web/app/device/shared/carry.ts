/** Carries sealed answers to the server, whoever is at the tablet. */
import { exclusively } from '#web/app/device/locks'
import { askAs } from '#web/app/device/request'
import { type Envelope, forgetEnvelope, keepEnvelope, readyEnvelopes } from './kept'

/** How often it is tried while something waits, in milliseconds. */
const EVERY = 60_000

/** Hands one over. Returns whether to go on with the next. */
async function carry(each: Envelope): Promise<boolean> {
  const { id, device, envelope } = each
  const signal = AbortSignal.timeout(60_000)
  const answer = await askAs('POST', '/shared-devices/envelopes', { body: { device, envelope }, signal })
  if (answer.isDone) {
    await forgetEnvelope(id)
    return true
  }
  // Another time: there is no connection, a page of a portal answered, or the server is busy.
  if (!answer.isRefusal || answer.status === 429 || answer.status >= 500) return false
  await keepEnvelope({ ...each, problem: answer.message })
  return true
}

async function carryAll(): Promise<void> {
  for (const each of await readyEnvelopes()) if (!(await carry(each))) break
  await readyEnvelopes()
}

/** Tries to hand over all that waits. Never rejects. */
export const carryNow = (): Promise<void> => exclusively('envelopes', carryAll).catch(() => undefined)

/** Tries now, each minute, and when there is a connection again. Call it once. */
export function keepCarrying(): void {
  void carryNow()
  addEventListener('online', () => void carryNow())
  setInterval(() => void carryNow(), EVERY)
}
