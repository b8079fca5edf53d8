/** How many messages of others the person has not read. */

import { signal } from '@preact/signals'
import type { AnswerOf } from '#web/kit/api/operations'
import { askAs } from '#web/participant/device/request'
import type { Thread } from './apiTypes'

/** Where the thread with the study team is. */
export const THREAD = '/participants/messages'

/** As the server said it last. */
export const unread = signal(0)

/** Asks again. Without a connection, the number stays. */
export async function countUnread(): Promise<void> {
  const answer = await askAs<Thread>('GET', `${THREAD}?limit=1`)
  if (answer.isDone) unread.value = answer.body.unreadCount
}

/** Notes that the person has seen the messages up to this one; without it, all of them. */
export async function markRead(upTo?: string): Promise<void> {
  const answer = await askAs<AnswerOf<'markOwnMessagesRead'>>('PUT', THREAD, {
    body: upTo === undefined ? {} : { upTo },
  })
  if (answer.isDone) unread.value = answer.body.unreadCount
}
