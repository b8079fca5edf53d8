/** A study that sends reminders by e-mail to a server of the test. */
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { DeliveryReport } from '#outbox/delivery'
import type { SmtpConfig } from '#outbox/email'
import { messageParticipant } from '#outbox/messages'
import { authoredText } from '#texts/writer'
import { world } from '../harness'

export const from = { name: 'Breath study', address: 'study@example.org' }

export const smtpOf = ({ port }: { port: number }, more: Partial<SmtpConfig> = {}): SmtpConfig => ({
  host: '127.0.0.1',
  port,
  isSecure: false,
  from,
  ...more,
})

type Row = { status: string; detail: string | null; attempts: number; body: string; sentAt: number | null }

/** A study with a reminder at 15:00, and a participant with an e-mail address. */
export async function reminded(email: SmtpConfig | undefined, diary: Record<string, unknown> = {}) {
  const carried: DeliveryReport[] = []
  const at = world({ messages: { email }, onDelivery: (each) => carried.push(each) })
  const { owner, service, db } = at
  const trial = at.trial({ name: 'Breath study', behindScheduleNotices: [] })
  const reminder = { hour: 3, title: 'Your diary', body: 'Bitte ausfüllen: 1 < 2.', sendVia: ['email'] }
  const { _id: stage } = await owner.do('createStage', trial, { name: 'Diary', reminders: [reminder], ...diary })
  const anna = (await owner.do('registerParticipants', trial, { participantId: 'P-1' }))._id
  const self = `/trials/${trial}/participants/${anna}` as const
  await owner.do('updateParticipant', trial, anna, { email: 'anna@example.org' })
  return {
    ...at,
    trial,
    stage: stage as Id,
    anna,
    self,
    carried,
    /** Moves the clock forward and does the work that is due. */
    async wait(by: number) {
      at.clock(by)
      await service.services.tick()
    },
    /** All messages, but those that tell administrators of deletions. */
    rows: () =>
      db.$client
        .query(
          `SELECT status, detail, attempts, body, sentAt FROM outbox WHERE coalesce(subject, '') NOT LIKE 'Deleted in %' ORDER BY _id`,
        )
        .all() as Row[],
    say: (body: string) =>
      messageParticipant(db, parseInstant(at.now())!, rowById(db, participants, anna)!, {
        subject: authoredText('Hello'),
        body: authoredText(body),
      }),
  }
}
