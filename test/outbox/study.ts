/** A trial in a service that sends messages, and a participant whom all channels reach. */
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { DeliveryReport } from '#outbox/delivery'
import { messageParticipant } from '#outbox/messages'
import type { MessagingConfig } from '#outbox/senders'
import type { Channel } from '#outbox/status'
import { authoredText } from '#texts/writer'
import { world } from '../harness'

export type Row = {
  channel: Channel
  recipient: string
  status: string
  detail: string | null
  attempts: number
  body: string
  sentAt: number | null
}

export async function reached(messages: MessagingConfig) {
  const carried: DeliveryReport[] = []
  const at = world({ messages, pushKey: Buffer.alloc(32, 7), onDelivery: (each) => carried.push(each) })
  const { owner, service, db } = at
  const trial = at.trial({ name: 'Breath study' })
  const anna = (await owner.do('registerParticipants', trial, { participantId: 'P-1', password: 'owl in june' }))
    ._id as Id
  const self = `/trials/${trial}/participants/${anna}` as const
  await owner.do('updateParticipant', trial, anna, {
    email: 'anna@example.org',
    phone: '+44 7700 900123',
    whatsapp: '+447700900124',
  })
  const { code } = await owner.do('readTrial', trial)
  return {
    ...at,
    trial,
    anna,
    self,
    carried,
    /** Moves the clock forward and does the work that is due. */
    async wait(by: number) {
      at.clock(by)
      await service.services.tick()
    },
    rows: () =>
      db.$client
        .query('SELECT channel, recipient, status, detail, attempts, body, sentAt FROM outbox ORDER BY _id')
        .all() as Row[],
    say: (by: Channel, body = 'Please fill in your diary.', subject: string | null = 'Your diary') =>
      messageParticipant(
        db,
        parseInstant(at.now())!,
        rowById(db, participants, anna)!,
        { subject: subject === null ? null : authoredText(subject), body: authoredText(body) },
        [by],
      ),
    async app() {
      const credentials = { trialCode: code, participantId: 'P-1', password: 'owl in june' }
      const { token } = await at.nobody.do('signInParticipant', credentials)
      return at.person({ Authorization: `Bearer ${token}` })
    },
  }
}
