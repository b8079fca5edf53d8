/** A trial that sends notices, and their texts. */
import type { Channel } from '#outbox/status'
import { type Mail, reminderStudy } from './reminders.sample'

/** A trial as `reminded` creates it, but without reminders and with the default setting for notices. */
export const noticeStudy = (stageFields: Record<string, unknown> = {}, by: Channel[] = ['push', 'email']) =>
  reminderStudy({ reminders: [], ...stageFields }, by)

export type NoticeStudy = Awaited<ReturnType<typeof noticeStudy>>

export const waiting = (body: string): Mail => ({
  channel: 'email',
  recipient: 'anna@example.org',
  subject: 'Breath study',
  body,
  status: 'notSent',
  detail: null,
})

export const one = waiting('“Diary” is waiting for your answers.')
