/** A study that sends notifications. */
import { study } from '../../study'

type Mail = Record<'channel' | 'recipient' | 'subject' | 'body' | 'status' | 'user' | 'participant', string | null>

/** The pulse scores 5 above 100, and 1 above 60. */
const scored = {
  pulse: {
    scoringRules: [
      { id: 'high', points: 5, operator: 'more', value: 100 },
      { id: 'raised', points: 1, operator: 'more', value: 60 },
    ],
  },
}

/** The small study with these rules, in which the first participant has an e-mail address and a telephone. */
export async function ruleStudy(stage: Record<string, unknown>) {
  const at = await study({ stage: { component: scored, ...stage } })
  const { owner, trial, anna, db, service } = at
  const self = `/trials/${trial}/participants/${anna}` as const
  await owner.do('updateParticipant', trial, anna, { email: 'anna@example.org', phone: '+44 7700 900123' })
  return {
    ...at,
    self,
    mails: () => db.$client.query('SELECT * FROM outbox ORDER BY _id').all() as Mail[],
    waiting: () =>
      (db.$client.query('SELECT count(*) AS n FROM dueNotifications WHERE sentAt IS NULL').get() as { n: number }).n,
    async wait(by: number) {
      at.clock(by)
      await service.services.tick()
    },
  }
}
