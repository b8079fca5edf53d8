/** What a shared tablet keeps: which one it is, and answers that are sealed to the server. Nothing else is kept on it. */
import { type ReadonlySignal, signal } from '@preact/signals'
import { type DBSchema, openDB } from 'idb'
import { STRICT } from '#web/app/device/database'

/** The tablet as the server describes it. */
export type Tablet = {
  _id: string
  name: string
  state: 'waiting' | 'open' | 'expired' | 'ended'
  idleMinutes: number
  trial: { name: string }
  site: { name: string } | null
  publicKey: string
}

/** A sealed entry. Only the server can open it. */
export type Envelope = {
  /** Of the entry. */
  id: string
  /** The tablet that sealed it. */
  device: string
  /** The session in which it was sealed: while that lasts, the entry may still change, or arrive by itself. */
  session: string
  envelope: string
  madeAt: string
  /** Why the server did not take it: its words. */
  problem?: string
}

interface Kept extends DBSchema {
  own: { key: 'tablet'; value: { secret: string; tablet: Tablet } }
  envelopes: { key: string; value: Envelope; indexes: { byTime: string } }
}

const open = () =>
  openDB<Kept>('trialbox-tablet', 1, {
    upgrade(fresh) {
      fresh.createObjectStore('own')
      fresh.createObjectStore('envelopes', { keyPath: 'id' }).createIndex('byTime', 'madeAt')
    },
  })

/** Opened for each use: a system may close a database that is left open. */
async function using<T>(act: (opened: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  const opened = await open()
  try {
    return await act(opened)
  } finally {
    opened.close()
  }
}

/** The session that goes on: what was sealed in it may still change. Undefined while nobody is signed in. */
export const current: { session?: string | undefined } = {}

const waiting = signal(0)
/** How many entries wait to be sent, besides those of the session that goes on. */
export const envelopesWaiting: ReadonlySignal<number> = waiting

/** The entries that can be carried to the server, the oldest first. */
export const readyEnvelopes = async (): Promise<Envelope[]> => {
  const all = await using((opened) => opened.getAllFromIndex('envelopes', 'byTime'))
  const ready = all.filter(({ session }) => session !== current.session)
  waiting.value = ready.length
  return ready
}

/** Keeps an envelope, and in the same step forgets another one. */
export const keepEnvelope = (envelope: Envelope, instead?: string): Promise<void> =>
  using(async (opened) => {
    const transaction = opened.transaction('envelopes', 'readwrite', STRICT)
    await transaction.store.put(envelope)
    if (instead !== undefined && instead !== envelope.id) await transaction.store.delete(instead)
    await transaction.done
  })

export const forgetEnvelope = (id: string): Promise<void> => using((opened) => opened.delete('envelopes', id))

export const knownTablet = (): Promise<{ secret: string; tablet: Tablet } | undefined> =>
  using((opened) => opened.get('own', 'tablet'))

export const keepTablet = (secret: string, tablet: Tablet): Promise<unknown> =>
  using((opened) => opened.put('own', { secret, tablet }, 'tablet'))

export const forgetTablet = (): Promise<void> => using((opened) => opened.delete('own', 'tablet'))
