/** Signing in and out on this device. */
import type { ReadonlySignal } from '@preact/signals'
import type { IDBPTransaction } from 'idb'
import type { Answer } from '#web/common/api'
import { allOf, database, dropCopies, type Kept, STRICT } from './database'
import { readDrafts } from './drafts'
import { exclusively } from './locks'
import type { Person } from './model'
import { dropNotices } from './notices'
import { readPerson } from './readPerson'
import { askAs, personNow, reached, sessionEnded } from './request'
import { registerAgain, unsubscribe } from './subscription'
import { channelOf } from './tabs'

export const person: ReadonlySignal<Person | undefined> = personNow
export const needsSignIn: ReadonlySignal<boolean> = sessionEnded
export const isOnline: ReadonlySignal<boolean> = reached

/** The body of a sign-in: `trialCode`, `participantId`, `password`, and the contact and code of a consent where they are needed. */
export type Credentials = Readonly<Record<string, string>>

type Me = { participant: { _id: string; id: string }; trial: { _id: string } }

/** `left`: this session is over. `came`: a session begins, or has begun. */
type News = { left: Pick<Person, 'who' | 'token'> } | 'came'

const channel = channelOf<News>('session')

/** The lock of a tab while it writes down that somebody signs in. */
const BEGINNING = 'session'

/**
 * Whoever signs in or out in one tab does so in all of them: nobody goes on as the person before. Tabs are told before it is written to
 * the device, since the one that tells may be closed at any moment: the others then finish it. Call it once, before the person is read.
 */
export function followSession(): void {
  channel.follow((news) => void hear(news).catch(() => undefined))
  // A tab that the system had stopped may have heard nothing.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void follow().catch(() => undefined)
  })
}

async function hear(news: News): Promise<void> {
  if (news === 'came') return exclusively(BEGINNING, follow)
  if (personNow.value?.token === news.left.token) {
    forgetPerson()
    await readDrafts()
  }
  await finishSignOut(news.left)
  await follow()
}

/** Nobody is signed in any more in this tab: whatever is still under way keeps nothing for them. */
function forgetPerson(): void {
  sessionEnded.value = false
  personNow.value = undefined
}

async function follow(): Promise<void> {
  const before = personNow.value
  await readPerson()
  if (before !== personNow.value) await readDrafts()
}

/** Begins the session of a token: finds out whose it is. */
export async function begin(token: string): Promise<Answer<Person>> {
  const me = await askAs<Me>('GET', '/participants/me', {
    as: { who: '', trial: '', participantId: '', token },
  })
  if (!me.isDone) return me
  const { participant, trial } = me.body
  const who = `${trial._id}/${participant._id}`
  const now: Person = { who, trial: trial._id, participantId: participant.id, token }
  const before = personNow.value
  if (before && before.who !== who) {
    personNow.value = undefined
    // Their drafts stay: they see them when they sign in again, and nobody else does.
    await dropCopies(before.who)
  }
  await exclusively(BEGINNING, async () => {
    channel.tell('came')
    await (await database()).put('own', now, 'person')
  })
  sessionEnded.value = false
  personNow.value = now
  // Where the browser has no locks, they have read too early.
  channel.tell('came')
  void (before?.who === who ? registerAgain() : unsubscribe()).catch(() => undefined)
  await readDrafts()
  return { isDone: true, body: now }
}

/** Signs in with an ID and a password. */
export async function signIn(body: Credentials): Promise<Answer<Person>> {
  const answer = await askAs<{ token: string }>('POST', '/participants/sessions', { body })
  return answer.isDone ? begin(answer.body.token) : answer
}

/** What a link gave, until the session has begun: the connection may end in between, and the link works once. */
const given = new Map<string, string>()

/** Signs in with a link from the study team, which works once. It can be tried again until it has signed in. */
export async function exchangeGrant(grant: string): Promise<Answer<Person>> {
  if (!given.has(grant)) {
    const answer = await askAs<{ token: string }>('POST', '/participants/grants/exchange', { body: { grant } })
    if (!answer.isDone) return answer
    given.set(grant, answer.body.token)
  }
  const begun = await begin(given.get(grant) ?? '')
  if (begun.isDone || begun.status === 401) given.delete(grant)
  return begun
}

/** Milliseconds that the server has to hear of it. The device does not wait for that. */
const SIGN_OUT = 20_000

/** Signs out: copies and drafts are removed from the device, what waits to be sent stays. Works without a connection too. */
export async function signOut(): Promise<void> {
  const now = personNow.value
  if (!now) return
  const { who, token } = now
  forgetPerson()
  channel.tell({ left: { who, token } })
  // The server may not hear of it now.
  void askAs('DELETE', '/participants/sessions', { as: now, signal: AbortSignal.timeout(SIGN_OUT), keepalive: true })
  void unsubscribe().catch(() => undefined)
  await wipe(who)
}

/** Does what the tab that signed out may not have come to. Nothing, if somebody else has signed in since, or the same person again. */
async function finishSignOut({ who, token }: Pick<Person, 'who' | 'token'>): Promise<void> {
  const transaction = (await database()).transaction(['own', 'copies', 'drafts'], 'readwrite', STRICT)
  const now = await transaction.objectStore('own').get('person')
  if (now?.token === token) await Promise.all(removalsOf(transaction, who))
  await transaction.done
  if (now?.token !== token) return
  await dropNotices(who).catch(() => undefined)
  await dropFilesOfNobody()
}

type Wiping = IDBPTransaction<Kept, ['own', 'copies', 'drafts'], 'readwrite'>

const removalsOf = (transaction: Wiping, who: string): Promise<void>[] => [
  transaction.objectStore('own').delete('person'),
  ...(['copies', 'drafts'] as const).map((name) => transaction.objectStore(name).delete(allOf(who))),
]

/** Removes what is kept for the person who was signed in, except what waits to be sent. */
async function wipe(who: string): Promise<void> {
  const transaction = (await database()).transaction(['own', 'copies', 'drafts'], 'readwrite', STRICT)
  const removals = removalsOf(transaction, who)
  // It ends even if the page is left now: whoever sees the sign-in may close it at once.
  transaction.commit()
  await Promise.all([...removals, transaction.done])
  await dropNotices(who).catch(() => undefined)
  await dropFilesOfNobody()
  await readDrafts()
}

/** Removes files of drafts that are gone: the page may have been left in the middle of a sign-out. Call it once. */
export async function dropFilesOfNobody(): Promise<void> {
  const transaction = (await database()).transaction(['drafts', 'blobs'], 'readwrite', STRICT)
  const drafts = transaction.objectStore('drafts')
  for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate()) {
    const [who, draft] = cursor.key
    // A form that is open keeps a file before its draft.
    if (who !== personNow.value?.who && !(await drafts.getKey([who, draft]))) await cursor.delete()
  }
  await transaction.done
}
