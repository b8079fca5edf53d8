/** What a shared tablet keeps: which one it is, and answers that are sealed to the server. Nothing else is kept on it. */

import { type ReadonlySignal, signal } from '@preact/signals'
import { type DBSchema, openDB, unwrap } from 'idb'
import type { AnswerOf } from '#web/kit/api/operations'
import { STRICT } from '#web/participant/device/database'
import { trackTransactions } from '#web/participant/device/transactions'

/** The tablet as the server describes it. */
export type Tablet = AnswerOf<'readOpenedSharedDevice'>

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

/** A sealed part of a file. */
export type SealedPart = {
  session: string
  /** The id of its bytes. */
  file: string
  /** Where in the file the part begins, and where it has ended. */
  from: number
  to: number
  device: string
  envelope: string
  /** At the first part: why the server did not take the file, in its words. */
  problem?: string
}

/** A file of a session that is over. */
export type SealedFile = Pick<SealedPart, 'session' | 'file'>

interface TabletSchema extends DBSchema {
  own: { key: 'tablet'; value: { secret: string; tablet: Tablet } }
  parts: { key: [session: string, file: string, from: number]; value: SealedPart }
  envelopes: { key: string; value: Envelope; indexes: { byTime: string } }
}

const open = () =>
  openDB<TabletSchema>('trialbox-tablet', 2, {
    upgrade(db, before) {
      if (before < 1) {
        db.createObjectStore('own')
        db.createObjectStore('envelopes', { keyPath: 'id' }).createIndex('byTime', 'madeAt')
      }
      db.createObjectStore('parts', { keyPath: ['session', 'file', 'from'] })
    },
  })

/** Opened for each use: a system may close a database that is left open. */
async function withDatabase<T>(act: (opened: Awaited<ReturnType<typeof open>>) => Promise<T>): Promise<T> {
  const opened = await open()
  trackTransactions(unwrap(opened))
  try {
    return await act(opened)
  } finally {
    opened.close()
  }
}

/** The session that goes on: what was sealed in it may still change. Undefined while nobody is signed in. */
export const sealingSession: { session?: string | undefined } = {}

const waiting = signal(0)
/** How many entries wait to be sent, and files that the server has refused, besides those of the session that goes on. */
export const envelopesWaiting: ReadonlySignal<number> = waiting

/** The entries that can be carried to the server, the oldest first. */
export const readyEnvelopes = async (): Promise<Envelope[]> => {
  const all = await withDatabase((opened) => opened.getAllFromIndex('envelopes', 'byTime'))
  const ready = all.filter(({ session }) => session !== sealingSession.session)
  waiting.value = ready.length + (await refusedFiles()).length
  return ready
}

/** The files that can be carried to the server. */
export async function readyFiles(): Promise<SealedFile[]> {
  const keys = await withDatabase((opened) => opened.getAllKeys('parts'))
  const files = new Map(keys.map(([session, file]) => [`${session} ${file}`, { session, file }]))
  return [...files.values()].filter(({ session }) => session !== sealingSession.session)
}

/** Of those, the ones that the server has refused, each with its words. */
export async function refusedFiles(): Promise<(SealedFile & { problem: string })[]> {
  const first = await Promise.all((await readyFiles()).map((file) => partAt(file, 0)))
  return first.flatMap((part) => (part?.problem === undefined ? [] : { ...part, problem: part.problem }))
}

const partsOf = ({ session, file }: SealedFile, to = Infinity) =>
  IDBKeyRange.bound([session, file], [session, file, to])

/** The part in which this byte of a file is, unless it was never sealed. */
export const partAt = (file: SealedFile, at: number): Promise<SealedPart | undefined> =>
  withDatabase(async (opened) => (await opened.transaction('parts').store.openCursor(partsOf(file, at), 'prev'))?.value)

export const keepPart = (part: SealedPart): Promise<unknown> => withDatabase((opened) => opened.put('parts', part))

export const forgetFile = (file: SealedFile): Promise<void> =>
  withDatabase((opened) => opened.delete('parts', partsOf(file)))

/** Keeps an envelope, and in the same step forgets another one. */
export const keepEnvelope = (envelope: Envelope, instead?: string): Promise<void> =>
  withDatabase(async (opened) => {
    const transaction = opened.transaction('envelopes', 'readwrite', STRICT)
    await transaction.store.put(envelope)
    if (instead !== undefined && instead !== envelope.id) await transaction.store.delete(instead)
    await transaction.done
  })

export const forgetEnvelope = (id: string): Promise<void> => withDatabase((opened) => opened.delete('envelopes', id))

export const readTablet = (): Promise<{ secret: string; tablet: Tablet } | undefined> =>
  withDatabase((opened) => opened.get('own', 'tablet'))

export const keepTablet = (secret: string, tablet: Tablet): Promise<unknown> =>
  withDatabase((opened) => opened.put('own', { secret, tablet }, 'tablet'))

export const forgetTablet = (): Promise<void> => withDatabase((opened) => opened.delete('own', 'tablet'))
