/**
 * Messages that forms showed after a submission (docs/forms.md, "Messages after a submission"): computed on the device, or sent by
 * the server, each once. They have a database of their own, so that a version of the app that does not know them opens the others.
 */
import { computed, type ReadonlySignal, signal } from '@preact/signals-core'
import type { DBSchema } from 'idb'
import type { RuleMessage } from '#web/form/answers/model'
import { createConnection } from '#web/kit/storage/connection'
import { isTablet } from '#web/kit/storage/smallStorage'
import { dropCopies, isQuotaExceeded, personRange, STRICT } from './database'
import { currentPerson } from './request'
import { channelOf } from './tabs'
import { trackTransactions } from './transactions'

export type Notice = RuleMessage & {
  who: string
  /** The id of the entry whose answers it is about. */
  entry: string
  /** The name of the form. */
  title: string
  at: string
  readAt?: string
}

interface NoticesSchema extends DBSchema {
  notices: { key: [who: string, entry: string, id: string]; value: Notice }
}

const connection = createConnection<NoticesSchema>(
  'trialbox-notices',
  (db) => db.createObjectStore('notices', { keyPath: ['who', 'entry', 'id'] }),
  trackTransactions,
)

/** How many that were read are kept for a person. Those that were not read are kept all. */
const MOST_READ = 100

const all = signal<readonly Notice[]>([])
const byTime = (one: Notice, other: Notice) => one.at.localeCompare(other.at)

/** The notices of the person who is signed in, oldest first. */
export const notices: ReadonlySignal<readonly Notice[]> = computed(() =>
  all.value.filter(({ who }) => who === currentPerson.value?.who).sort(byTime),
)

export const unreadNotices: ReadonlySignal<readonly Notice[]> = computed(() =>
  notices.value.filter(({ readAt }) => readAt === undefined),
)

const channel = channelOf<'changed'>('notices')

/** Follows what other tabs do. Call it once. */
export function followNotices(): void {
  channel.onMessage(() => void readNotices().catch(() => undefined))
  currentPerson.subscribe(() => void readNotices().catch(() => undefined))
}

/** Reads them again. On a shared tablet they are in memory only. */
export async function readNotices(): Promise<void> {
  const who = currentPerson.value?.who
  if (isTablet || who === undefined) return
  const read = await (await connection()).getAll('notices', personRange(who))
  if (currentPerson.value?.who === who) all.value = read
}

/** Writes to the device; what cannot be written is shown as long as the page is open. */
async function write(who: string, put: readonly Notice[], drop: readonly Notice[] = []): Promise<void> {
  if (isTablet) return
  const act = async () => {
    const transaction = (await connection()).transaction('notices', 'readwrite', STRICT)
    for (const each of put) void transaction.store.put(each)
    for (const { entry, id } of drop) void transaction.store.delete([who, entry, id])
    transaction.commit()
    await transaction.done
  }
  await act().catch(async (cause) => {
    if (!isQuotaExceeded(cause)) throw cause
    await dropCopies(who)
    await act()
  })
  channel.post('changed')
}

const keyOf = ({ who, entry, id }: Notice) => `${who} ${entry} ${id}`

function replace(put: readonly Notice[], drop: readonly Notice[] = []): void {
  const gone = new Set([...put, ...drop].map(keyOf))
  all.value = [...all.value.filter((each) => !gone.has(keyOf(each))), ...put]
}

export type NoticeSource = { who: string; entry: string; title: string }

/** Keeps the messages about an entry, except those that were shown before: by the device, or by an earlier answer of the server. */
export async function keepNotices(
  { who, entry, title }: NoticeSource,
  messages: readonly RuleMessage[],
): Promise<void> {
  if (!messages.length) return
  // The service worker, and a tab whose person has just changed, have not read them.
  const read = async () => (await connection()).getAll('notices', personRange(who))
  // Also if the device cannot open it: an entry that was stored leaves the queue all the same.
  const stored = isTablet ? [] : await read().catch(() => [])
  const known = [...stored, ...all.value].filter((each) => each.who === who && each.entry === entry)
  // A message of a rule has the id of the rule; a message without an id is recognised by its text.
  const isKnown = ({ id, message }: RuleMessage) =>
    known.some((each) => each.id === id || (!id.includes('/') && each.message === message))
  // In the order in which they were shown.
  const first = Math.max(Date.now(), ...known.map(({ at }) => Date.parse(at) + 1))
  const fresh = messages
    .filter((each) => !isKnown(each))
    .map((each, place) => ({ ...each, who, entry, title, at: new Date(first + place).toISOString() }))
  if (!fresh.length) return
  const old = stored.filter(({ readAt }) => readAt !== undefined).sort(byTime)
  const drop = old.slice(0, Math.max(0, old.length - MOST_READ))
  replace(fresh, drop)
  // What could not be written stays in the page.
  await write(who, fresh, drop).then(readNotices, () => replace(fresh))
}

/** Notes that the person has read these. */
export async function markNoticesRead(which: readonly Notice[]): Promise<void> {
  const readAt = new Date().toISOString()
  const put = which.filter((each) => each.readAt === undefined).map((each) => ({ ...each, readAt }))
  if (!put.length) return
  replace(put)
  await Promise.all(
    [...Map.groupBy(put, ({ who }) => who)].map(([who, list]) => write(who, list).catch(() => undefined)),
  )
}

/** Removes those of a person who signs out. */
export async function dropNotices(who: string): Promise<void> {
  all.value = all.value.filter((each) => each.who !== who)
  if (isTablet) return
  await (await connection()).delete('notices', personRange(who))
  channel.post('changed')
}
