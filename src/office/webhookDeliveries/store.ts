import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { submissions, webhookAttempts, webhookDeliveries } from '#db/tables/index'
import type { Id } from '#kernel/id'
import { DAY, type Instant } from '#kernel/time'
import type { AuditEntry } from '#office/webhooks/events'

/** How long finished deliveries are kept, and so how far back a recovery goes. */
export const KEPT = 30 * DAY

export type DeliveryRow = typeof webhookDeliveries.$inferSelect
export type AttemptRow = typeof webhookAttempts.$inferSelect

type StoredEntry = Omit<AuditEntry, 'event'> & { event: string }

const ENTRY = 'number, createdAt, type, userType, user, participant, event'

const decodeEntry = ({ event, ...entry }: StoredEntry): AuditEntry => ({ ...entry, event: JSON.parse(event) })

/** The numbers and types of the entries of a chain after that number, oldest first. */
export const entryTypesAfter = (db: Db, chain: Id, after: number, limit: number) =>
  db.$client
    .query<{ number: number; type: string }, [{ chain: Id; after: number; limit: number }]>(
      'SELECT number, type FROM auditEntries WHERE chain = +$chain AND number > $after ORDER BY number LIMIT +$limit',
    )
    .all({ chain, after, limit })

/** An entry of a chain; undefined if there is none. */
export function entryAt(db: Db, chain: Id, number: number): AuditEntry | undefined {
  const row = db.$client
    .query<StoredEntry, [{ chain: Id; number: number }]>(
      `SELECT ${ENTRY} FROM auditEntries WHERE chain = +$chain AND number = +$number`,
    )
    .get({ chain, number })
  return row ? decodeEntry(row) : undefined
}

/** Whether a submission is the first of its response. */
export const isFirstSubmission = (db: Db, submission: number): boolean =>
  db.$client
    .query<unknown, [{ submission: number }]>(
      'SELECT 1 FROM storedSubmissions WHERE _id = +$submission AND fields IS NULL',
    )
    .get({ submission }) !== null

/** A submission of a response and the one before it; the last one before it if there is none with that number. */
export const submissionAndBefore = (db: Db, response: Id, submission: number): (typeof submissions.$inferSelect)[] =>
  rowsFrom(db, submissions, 'WHERE response = +$response AND _id <= $submission ORDER BY _id DESC LIMIT 2', {
    response,
    submission,
  })

/** How many deliveries of a webhook wait, counted up to `most`. */
export const waitingCount = (db: Db, webhook: Id, most: number): number =>
  db.$client
    .query<{ n: number }, [{ webhook: Id; most: number }]>(
      `SELECT count(*) AS n FROM (
         SELECT 1 FROM webhookDeliveries WHERE webhook = +$webhook AND status = 'waiting' LIMIT +$most)`,
    )
    .get({ webhook, most })!.n

/** The moment from which a delivery is due, or NULL while another one about its subject waits. */
const DUE = `CASE WHEN EXISTS (SELECT 1 FROM webhookDeliveries AS w
  WHERE w.webhook = $webhook AND w.subject = $subject AND w.status = 'waiting') THEN NULL ELSE $now END`

type NewDelivery = { _id: Id; webhook: Id; entry: number; event: string; subject: string; participant: Id | null }

/** Inserts a delivery that waits. One of the same entry that has failed waits again; any other stays as it is. */
export const insertDelivery = (db: Db, delivery: NewDelivery, now: Instant) =>
  db.$client
    .query<unknown, [NewDelivery & { now: Instant }]>(
      `INSERT INTO webhookDeliveries (_id, createdAt, webhook, entry, event, subject, participant, status, dueAt)
         VALUES ($_id, $now, $webhook, $entry, $event, $subject, $participant, 'waiting', ${DUE})
       ON CONFLICT (webhook, entry) DO UPDATE SET status = 'waiting', tries = 0, dueAt = excluded.dueAt, finishedAt = NULL
         WHERE status = 'failed'`,
    )
    .run({ ...delivery, now })

/** Lets a delivery wait again that was delivered or has failed. */
export const requeueDelivery = (
  db: Db,
  { _id, webhook, subject }: Pick<DeliveryRow, '_id' | 'webhook' | 'subject'>,
  now: Instant,
) =>
  db.$client
    .query<unknown, [{ _id: Id; webhook: Id; subject: string; now: Instant }]>(
      `UPDATE webhookDeliveries SET status = 'waiting', tries = 0, finishedAt = NULL, dueAt = ${DUE} WHERE _id = +$_id`,
    )
    .run({ _id, webhook, subject, now })

/** The deliveries of a webhook that are due, those that have been due the longest first. */
export const dueDeliveries = (db: Db, webhook: Id, now: Instant, limit: number): DeliveryRow[] =>
  rowsFrom(db, webhookDeliveries, 'WHERE webhook = +$webhook AND dueAt <= $now ORDER BY dueAt, entry LIMIT +$limit', {
    webhook,
    now,
    limit,
  })

/** Ends a delivery, and makes the next one about its subject due. */
export function finishDelivery(
  db: Db,
  { _id, webhook, subject }: DeliveryRow,
  status: 'delivered' | 'failed',
  now: Instant,
) {
  db.$client
    .query<unknown, [{ _id: Id; status: string; now: Instant }]>(
      'UPDATE webhookDeliveries SET status = $status, dueAt = NULL, finishedAt = $now WHERE _id = +$_id',
    )
    .run({ _id, status, now })
  db.$client
    .query<unknown, [{ webhook: Id; subject: string; now: Instant }]>(
      `UPDATE webhookDeliveries SET dueAt = $now WHERE dueAt IS NULL AND _id = (SELECT _id FROM webhookDeliveries
         WHERE webhook = +$webhook AND subject = +$subject AND status = 'waiting' ORDER BY entry LIMIT 1)`,
    )
    .run({ webhook, subject, now })
}

/** Deletes at most `limit` deliveries that were finished before that moment, with their attempts. Returns how many. */
export const deleteFinished = (db: Db, before: Instant, limit: number): number =>
  db.$client
    .query<unknown, [{ before: Instant; limit: number }]>(
      `DELETE FROM webhookDeliveries WHERE _id IN (
         SELECT _id FROM webhookDeliveries WHERE finishedAt < $before ORDER BY finishedAt LIMIT +$limit)`,
    )
    .run({ before, limit }).changes

/** Deliveries of a webhook before that one, newest first. */
export const deliveriesBefore = (
  db: Db,
  webhook: Id,
  before: Id,
  status: string | undefined,
  limit: number,
): DeliveryRow[] =>
  rowsFrom(
    db,
    webhookDeliveries,
    `WHERE webhook = +$webhook ${status === undefined ? '' : 'AND status = +$status'} AND _id < $before
       ORDER BY _id DESC LIMIT +$limit`,
    { webhook, before, limit, ...(status === undefined ? {} : { status }) },
  )

/** The attempts of these deliveries, oldest first. */
export const attemptsOf = (db: Db, deliveries: readonly Id[]): AttemptRow[] =>
  rowsFrom(
    db,
    webhookAttempts,
    'WHERE delivery IN (SELECT value FROM json_each($deliveries)) ORDER BY delivery, number',
    { deliveries: JSON.stringify(deliveries) },
  )

/** The number of the next attempt of a delivery, from 1. */
export const nextAttempt = (db: Db, delivery: Id): number =>
  db.$client
    .query<{ n: number | null }, [{ delivery: Id }]>(
      'SELECT max(number) AS n FROM webhookAttempts WHERE delivery = +$delivery',
    )
    .get({ delivery })!.n! + 1
