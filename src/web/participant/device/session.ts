/** Signing in and out on this device. */

import type { ReadonlySignal } from '@preact/signals'
import type { IDBPTransaction } from 'idb'
import type { AnswerOf } from '#web/kit/api/operations'
import type { Answer } from '#web/kit/api/send'
import { withLock } from '#web/kit/storage/locks'
import { type DeviceSchema, database, dropCopies, personRange, STRICT } from './database'
import { readDrafts } from './drafts'
import type { Person } from './model'
import { dropNotices } from './notices'
import { readPerson } from './readPerson'
import { askAs, currentPerson, isServerReachable, sessionEnded } from './request'
import { registerAgain, unsubscribe } from './subscription'
import { channelOf } from './tabs'

export const person: ReadonlySignal<Person | undefined> = currentPerson
export const needsSignIn: ReadonlySignal<boolean> = sessionEnded
export const isOnline: ReadonlySignal<boolean> = isServerReachable

/** The body of a sign-in: `trialCode`, `participantId`, `password`, and the contact and code of a consent where they are needed. */
export type Credentials = Readonly<Record<string, string>>

type Me = AnswerOf<'readOwnParticipant'>

/** `left`: this session is over. `came`: a session begins, or has begun. */
type TabMessage = { left: Pick<Person, 'who' | 'token'> } | 'came'

const channel = channelOf<TabMessage>('session')

/** The lock of a tab while it writes down that somebody signs in. */
const SESSION_LOCK = 'session'

/**
 * A sign-in or sign-out in one tab applies to all tabs, so that no tab goes on for the previous person. Tabs are notified before it is written to
 * the device, since the notifying tab may be closed at any moment: the other tabs then finish it. Call it once, before the person is read.
 */
export function followSession(): void {
  channel.onMessage((news) => void handleTabMessage(news).catch(() => undefined))
  // A tab that the system had stopped may have missed messages.
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) void followStoredSession().catch(() => undefined)
  })
}

async function handleTabMessage(news: TabMessage): Promise<void> {
  if (news === 'came') return withLock(SESSION_LOCK, followStoredSession)
  if (currentPerson.value?.token === news.left.token) {
    forgetPerson()
    await readDrafts()
  }
  await finishSignOut(news.left)
  await followStoredSession()
}

/** Signs the person out in this tab. Operations that are still in progress then keep nothing for them. */
function forgetPerson(): void {
  sessionEnded.value = false
  currentPerson.value = undefined
}

async function followStoredSession(): Promise<void> {
  const before = currentPerson.value
  await readPerson()
  if (before !== currentPerson.value) await readDrafts()
}

/** Begins the session of a token: finds out whose it is. */
export async function startSession(token: string): Promise<Answer<Person>> {
  const me = await askAs<Me>('GET', '/participants/me', {
    as: { who: '', trial: '', participantId: '', token },
  })
  if (!me.isDone) return me
  const { participant, trial } = me.body
  const who = `${trial._id}/${participant._id}`
  const now: Person = { who, trial: trial._id, participantId: participant.id, token }
  const before = currentPerson.value
  if (before && before.who !== who) {
    currentPerson.value = undefined
    // Their drafts stay. Only they see them, when they sign in again.
    await dropCopies(before.who)
  }
  await withLock(SESSION_LOCK, async () => {
    channel.post('came')
    await (await database()).put('own', now, 'person')
  })
  sessionEnded.value = false
  currentPerson.value = now
  // Where the browser has no locks, they have read too early.
  channel.post('came')
  void (before?.who === who ? registerAgain() : unsubscribe()).catch(() => undefined)
  await readDrafts()
  return { isDone: true, body: now }
}

/** Signs in with an ID and a password. */
export async function signIn(body: Credentials): Promise<Answer<Person>> {
  const answer = await askAs<AnswerOf<'signInParticipant'>>('POST', '/participants/sessions', { body })
  return answer.isDone ? startSession(answer.body.token) : answer
}

/** What a link gave, until the session has begun: the connection may end in between, and the link works once. */
const grantTokens = new Map<string, string>()

/** Signs in with a link from the study team, which works once. It can be tried again until it has signed in. */
export async function exchangeGrant(grant: string): Promise<Answer<Person>> {
  if (!grantTokens.has(grant)) {
    const answer = await askAs<AnswerOf<'exchangeGrant'>>('POST', '/participants/grants/exchange', { body: { grant } })
    if (!answer.isDone) return answer
    grantTokens.set(grant, answer.body.token)
  }
  const session = await startSession(grantTokens.get(grant) ?? '')
  if (session.isDone || session.status === 401) grantTokens.delete(grant)
  return session
}

/** Timeout in milliseconds of the request that ends the session on the server. The device does not wait for it. */
const SIGN_OUT_TIMEOUT = 20_000

/** Signs out: copies and drafts are removed from the device, what waits to be sent stays. Works without a connection too. */
export async function signOut(): Promise<void> {
  const now = currentPerson.value
  if (!now) return
  const { who, token } = now
  forgetPerson()
  channel.post({ left: { who, token } })
  // The server may not hear of it now.
  void askAs('DELETE', '/participants/sessions', {
    as: now,
    signal: AbortSignal.timeout(SIGN_OUT_TIMEOUT),
    keepalive: true,
  })
  void unsubscribe().catch(() => undefined)
  await removePersonData(who)
}

/** Does what the tab that signed out may not have come to. Nothing, if somebody else has signed in since, or the same person again. */
async function finishSignOut({ who, token }: Pick<Person, 'who' | 'token'>): Promise<void> {
  const transaction = (await database()).transaction(['own', 'copies', 'drafts'], 'readwrite', STRICT)
  const now = await transaction.objectStore('own').get('person')
  if (now?.token === token) await Promise.all(removalsOf(transaction, who))
  await transaction.done
  if (now?.token !== token) return
  await dropNotices(who).catch(() => undefined)
  await removeOrphanedFiles()
}

type RemovalTransaction = IDBPTransaction<DeviceSchema, ['own', 'copies', 'drafts'], 'readwrite'>

const removalsOf = (transaction: RemovalTransaction, who: string): Promise<void>[] => [
  transaction.objectStore('own').delete('person'),
  ...(['copies', 'drafts'] as const).map((name) => transaction.objectStore(name).delete(personRange(who))),
]

/** Removes what is kept for the person who was signed in, except what waits to be sent. */
async function removePersonData(who: string): Promise<void> {
  const transaction = (await database()).transaction(['own', 'copies', 'drafts'], 'readwrite', STRICT)
  const removals = removalsOf(transaction, who)
  // It completes even if the page is left now: the next person may close the sign-in page at once.
  transaction.commit()
  await Promise.all([...removals, transaction.done])
  await dropNotices(who).catch(() => undefined)
  await removeOrphanedFiles()
  await readDrafts()
}

/** Removes files of drafts that are gone: the page may have been left in the middle of a sign-out. Call it once. */
export async function removeOrphanedFiles(): Promise<void> {
  const transaction = (await database()).transaction(['drafts', 'blobs'], 'readwrite', STRICT)
  const drafts = transaction.objectStore('drafts')
  for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate()) {
    const [who, draft] = cursor.key
    // A form that is open keeps a file before its draft.
    if (who !== currentPerson.value?.who && !(await drafts.getKey([who, draft]))) await cursor.delete()
  }
  await transaction.done
}
