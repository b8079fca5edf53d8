/** Messages to the team that have no answer of the server yet. They are kept on the device, and sent when there is a connection. */

import { computed, signal } from '@preact/signals'
import { newId } from '#web/kit/storage/ids'
import { smallStorage } from '#web/kit/storage/smallStorage'
import { refusalText } from '#web/participant/device/refusalText'
import { askAs } from '#web/participant/device/request'
import { isOnline, needsSignIn, person } from '#web/participant/device/session'

export type UnsentMessage = { id: string; text: string; at: string }

/** How the names begin under which messages wait. */
export const OUTBOX = 'messages outbox '
const keyOf = (who: string, what: 'outbox' | 'draft'): string =>
  what === 'outbox' ? OUTBOX + who : `messages draft ${who}`

function readOutbox(who: string): readonly UnsentMessage[] {
  try {
    const list: unknown = JSON.parse(smallStorage.getItem(keyOf(who, 'outbox')) ?? '[]')
    return Array.isArray(list)
      ? list.filter((each) => typeof each?.id === 'string' && typeof each.text === 'string')
      : []
  } catch {
    return []
  }
}

/** Counts changes of what is kept. */
const version = signal(0)

function write(who: string, list: readonly UnsentMessage[]): void {
  if (list.length) smallStorage.setItem(keyOf(who, 'outbox'), JSON.stringify(list))
  else smallStorage.removeItem(keyOf(who, 'outbox'))
  version.value++
}

/** Messages of this person that wait. */
export const unsentMessages = computed<readonly UnsentMessage[]>(() => {
  version.value
  const who = person.value?.who
  return who === undefined ? [] : readOutbox(who)
})

/** What the person has written and not sent. */
export const draftText = (): string => smallStorage.getItem(keyOf(person.value?.who ?? '', 'draft')) ?? ''

export function keepDraftText(text: string): void {
  const key = keyOf(person.value?.who ?? '', 'draft')
  if (text) smallStorage.setItem(key, text)
  else smallStorage.removeItem(key)
}

/** Notes a message, to be sent as soon as possible. */
export function keepMessage(text: string): void {
  const who = person.value?.who
  if (who === undefined) return
  write(who, [...readOutbox(who), { id: newId(), text: text.toWellFormed(), at: new Date().toISOString() }])
}

/** Takes back a message that is not sent. */
export function dropMessage(id: string): void {
  const who = person.value?.who
  if (who === undefined) return
  write(
    who,
    readOutbox(who).filter((each) => each.id !== id),
  )
}

let isSending = false

/** Sends what waits, in order. Returns why the server refused the first that it did not take; undefined otherwise. */
export async function sendMessages(): Promise<string | undefined> {
  const who = person.value?.who
  if (isSending || who === undefined || needsSignIn.value) return undefined
  isSending = true
  try {
    for (;;) {
      const [first] = readOutbox(who)
      if (!first || person.value?.who !== who) return undefined
      const answer = await askAs('POST', '/participants/messages', {
        body: { message: first.text },
        idempotencyKey: first.id,
      })
      if (!answer.isDone)
        return isOnline.value && answer.status >= 400 && answer.status < 500 ? refusalText(answer) : undefined
      write(
        who,
        readOutbox(who).filter(({ id }) => id !== first.id),
      )
    }
  } finally {
    isSending = false
  }
}
