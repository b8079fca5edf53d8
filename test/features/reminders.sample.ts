import type { Id } from '../../src/kernel/id'
import { instantText } from '../../src/kernel/time'
import type { Channel } from '../../src/outbox/words'
import type { Service } from '../../src/server'
import { type World, world } from '../harness'

export type Mail = {
  channel: string
  recipient: string
  subject: string
  body: string
  status: string
  detail: string | null
}

export const mailsIn = ({ house }: Service) =>
  house.db.$client
    .query('SELECT channel, recipient, subject, body, status, detail FROM outbox ORDER BY _id')
    .all() as Mail[]

export const after3: Record<string, unknown> = {
  hour: 3,
  title: 'Your diary',
  body: 'Please fill in your diary.',
  sendVia: ['email'],
}

/**
 * A trial with a stage that opens at registration and a participant with an e-mail address, at noon of 2 March 2026. It sends
 * no notices of what is behind schedule, unless it is told to.
 */
export async function reminded(
  stageFields: Record<string, unknown> = {},
  behindScheduleNotices: Channel[] = [],
  at: World = world(),
) {
  const { owner, service } = at
  const trial = at.trial({ name: 'Breath study', behindScheduleNotices })
  const fields = { name: 'Diary', reminders: [after3], ...stageFields }
  const stage = (await owner.post(`/trials/${trial}/stages`, fields))._id as Id
  const anna = (await owner.post(`/trials/${trial}/participants`, { participantId: 'P-1' }))._id as Id
  const self = `/trials/${trial}/participants/${anna}`
  await owner.put(self, { email: 'anna@example.org' })
  return {
    ...at,
    trial,
    stage,
    anna,
    self,
    mails: () => mailsIn(service),
    /** Moves the clock on, and does what is due by then. */
    async wait(by: number) {
      at.clock(by)
      await service.house.tick()
    },
    complete: () => owner.put(`${self}/responses/${stage}`, { response: {} }),
    dueAt: () => {
      const row = at.db.$client.query('SELECT remindersDueAt FROM participants WHERE _id = ?').get(anna)
      const { remindersDueAt } = row as { remindersDueAt: number | null }
      return remindersDueAt === null ? null : instantText(remindersDueAt).slice(0, 16)
    },
  }
}
