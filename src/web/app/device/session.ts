/** Signing in and out on this device. */
import type { ReadonlySignal } from '@preact/signals'
import type { Answer } from '#web/common/api'
import { database, STRICT } from './database'
import { readDrafts } from './drafts'
import type { Person } from './model'
import { askAs, personNow, reached, sessionEnded } from './request'

export const person: ReadonlySignal<Person | undefined> = personNow
export const needsSignIn: ReadonlySignal<boolean> = sessionEnded
export const isOnline: ReadonlySignal<boolean> = reached

/** The body of a sign-in: `trialCode`, `participantId`, `password`, and the contact and code of a consent where they are needed. */
export type Credentials = Readonly<Record<string, string>>

type Me = { participant: { _id: string; id: string }; trial: { _id: string } }

/** Reads from the device who is signed in. Call it once, before anything else. */
export async function restoreSession(): Promise<void> {
  personNow.value = await (await database()).get('own', 'person')
}

async function begin(token: string): Promise<Answer<Person>> {
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
    await wipe(before.who)
  }
  await (await database()).put('own', now, 'person')
  sessionEnded.value = false
  personNow.value = now
  return { isDone: true, body: now }
}

/** Signs in with an ID and a password. */
export async function signIn(body: Credentials): Promise<Answer<Person>> {
  const answer = await askAs<{ token: string }>('POST', '/participants/sessions', { body })
  return answer.isDone ? begin(answer.body.token) : answer
}

/** Signs in with a link from the study team, which works once. */
export async function exchangeGrant(grant: string): Promise<Answer<Person>> {
  const answer = await askAs<{ token: string }>('POST', '/participants/grants/exchange', { body: { grant } })
  return answer.isDone ? begin(answer.body.token) : answer
}

/** Milliseconds that the server has to hear of it. The device does not wait for that. */
const SIGN_OUT = 20_000

/** Signs out: copies and drafts are removed from the device, what waits to be sent stays. Works without a connection too. */
export async function signOut(): Promise<void> {
  const now = personNow.value
  if (!now) return
  // First of all nobody is signed in any more: whatever is still under way keeps nothing for them.
  sessionEnded.value = false
  personNow.value = undefined
  await wipe(now.who)
  void askAs('DELETE', '/participants/sessions', { as: now, signal: AbortSignal.timeout(SIGN_OUT) })
}

/** Everything of a person in a store or index whose keys begin with `who`. */
const allOf = (who: string): IDBKeyRange => IDBKeyRange.bound([who], [who, []])

/** Removes what is kept for the person who was signed in, in one step, except what waits to be sent. */
async function wipe(who: string): Promise<void> {
  const transaction = (await database()).transaction(['own', 'copies', 'drafts', 'blobs'], 'readwrite', STRICT)
  await transaction.objectStore('own').delete('person')
  await transaction.objectStore('copies').delete(allOf(who))
  await transaction.objectStore('drafts').delete(allOf(who))
  for await (const cursor of transaction.objectStore('blobs').index('byDraft').iterate(allOf(who)))
    await cursor.delete()
  await transaction.done
  await readDrafts()
}
