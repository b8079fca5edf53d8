import type { Db } from '#db/open'
import { insert, rowsFrom, rowsWhere, updateWhere } from '#db/rows'
import { webhooks } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type WebhookRow = typeof webhooks.$inferSelect

/** The webhooks of a trial, oldest first. */
export const webhooksOf = (db: Db, trial: Id): WebhookRow[] => rowsWhere(db, webhooks, { trial }, '_id')

export const insertWebhook = (db: Db, webhook: typeof webhooks.$inferInsert): WebhookRow =>
  insert(db, webhooks, webhook)

/** The condition that the trial of a webhook was not deleted. */
const IN_USE = '(SELECT deletedAt FROM trials WHERE _id = webhooks.trial) IS NULL'

/** The enabled webhooks to which something is due, the one whose delivery has been due the longest first. */
export const dueWebhooks = (db: Db, now: Instant): WebhookRow[] => {
  const due = (what: string) => `(SELECT ${what} FROM webhookDeliveries WHERE webhook = webhooks._id AND dueAt <= $now)`
  return rowsFrom(
    db,
    webhooks,
    `WHERE isEnabled = 1 AND ${IN_USE} AND EXISTS ${due('1')} ORDER BY ${due('min(dueAt)')}`,
    { now },
  )
}

const BEHIND = `WHERE isEnabled = 1 AND position < (SELECT entries FROM auditHeads WHERE chain = webhooks.trial)
  AND ${IN_USE}`

/** Whether any enabled webhook has not looked at all entries of its trial. */
export const hasWebhookBehind = (db: Db): boolean =>
  db.$client.query(`SELECT 1 FROM webhooks ${BEHIND} LIMIT 1`).get() !== null

/** The enabled webhooks whose trial has entries in the audit trail that they have not looked at. */
export const webhooksBehind = (db: Db): WebhookRow[] => rowsFrom(db, webhooks, `${BEHIND} ORDER BY _id`)

/** The state of a webhook, which no entry of the audit trail describes. */
type State = Partial<Pick<WebhookRow, 'position' | 'failures' | 'failingSince' | 'deliveredAt'>>

export const setState = (db: Db, _id: Id, state: State) => updateWhere(db, webhooks, { _id }, state)

/** The number of the last entry of a chain; 0 if it has none. */
export const headOf = (db: Db, chain: Id): number =>
  db.$client
    .query<{ entries: number }, [{ chain: Id }]>('SELECT entries FROM auditHeads WHERE chain = $chain')
    .get({ chain })?.entries ?? 0

/** Makes all deliveries of a webhook due that wait for their next attempt. */
export const retryNow = (db: Db, webhook: Id, now: Instant) =>
  db.$client
    .query<unknown, [{ webhook: Id; now: Instant }]>(
      'UPDATE webhookDeliveries SET dueAt = $now WHERE webhook = +$webhook AND dueAt > $now',
    )
    .run({ webhook, now })
