/** The participants whom a notification is for, and the queue of those whom it has still to reach. */
import type { VisibleScope } from '#access/caller'
import { withinScopes } from '#access/visibilityStore'
import { facetsOf } from '#conduct/participants/listStore'
import { type Search, searchCondition } from '#conduct/participants/searchStore'
import type { ParticipantRow } from '#conduct/participants/store'
import { messagesStopped } from '#db/consentState'
import type { Db } from '#db/open'
import { rowsFrom, updateWhere } from '#db/rows'
import { jobs, participants } from '#db/tables/index'
import type { Job } from '#jobs/kind'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Channel } from '#outbox/status'
import { type NotificationJob, notifyParticipants } from './job'

/** Participants of a trial: these, the members of these groups, and those whom a search finds, as far as they are in the scope. */
export type Selection = {
  trial: Id
  participants: readonly Id[]
  groups: readonly Id[]
  search?: Search
  scope: VisibleScope
}

type Values = Record<string, string>

/** The beginning of a statement, `chosen`, and the rest of it from `FROM` on. */
function selectionSql(db: Db, { trial, participants, groups, search, scope }: Selection) {
  const found = search && searchCondition(search, facetsOf(db, search))
  // What a search alone finds needs no list in which each participant is once.
  if (found && !participants.length && !groups.length) {
    return { chosen: '', from: `FROM participants p WHERE ${found.where}`, values: found.values }
  }
  const within = withinScopes([scope], 'p._id')
  const values: Values = {
    ...found?.values,
    ...within.bound,
    trial,
    chosen: JSON.stringify(participants),
    groups: JSON.stringify(groups),
  }
  const chosen = `WITH chosen AS MATERIALIZED (SELECT value AS _id FROM json_each($chosen)
    UNION SELECT participant FROM participantGroups WHERE "group" IN (SELECT value FROM json_each($groups))
    ${found ? `UNION SELECT p._id FROM participants p WHERE ${found.where}` : ''})`
  const from = `FROM chosen CROSS JOIN participants p ON p._id = chosen._id WHERE p.trial = +$trial ${within.sql}`
  return { chosen, from, values }
}

const ACTIVE = `p.isArchived = 0 AND p.isWithdrawn = 0 AND NOT ${messagesStopped('p._id', 'p.trial')}`

const columns = { push: 'pushToken', email: 'email', sms: 'phone', whatsapp: 'whatsapp' } as const

type Counts = Record<'recipients' | 'skipped' | 'unreachable' | Channel, number>

/** How many a notification by these channels would reach, and how. */
export function countsOf(db: Db, selection: Selection, by: readonly Channel[]): Counts {
  const { chosen, from, values } = selectionSql(db, selection)
  const reached = Object.entries(columns).map(
    ([channel, column]) => `count(*) FILTER (WHERE ${ACTIVE} AND p.${column} IS NOT NULL) AS ${channel}`,
  )
  const isReached = ['FALSE', ...by.map((channel) => `p.${columns[channel]} IS NOT NULL`)].join(' OR ')
  return db.$client
    .query<Counts, [Values]>(
      `${chosen} SELECT count(*) FILTER (WHERE ${ACTIVE}) AS recipients,
         count(*) FILTER (WHERE NOT (${ACTIVE})) AS skipped,
         count(*) FILTER (WHERE ${ACTIVE} AND NOT (${isReached})) AS unreachable, ${reached.join(', ')} ${from}`,
    )
    .get(values)!
}

/** How many of these participants of the trial are in the scope. */
export function countWithin(db: Db, trial: Id, ids: readonly Id[], scope: VisibleScope): number {
  const { chosen, from, values } = selectionSql(db, { trial, participants: ids, groups: [], scope })
  return db.$client.query<{ count: number }, [Values]>(`${chosen} SELECT count(*) AS count ${from}`).get(values)!.count
}

/** The participants of a selection who are neither archived nor withdrawn, and have not withdrawn their consent. */
export function recipientsOf(db: Db, selection: Selection): ParticipantRow[] {
  const { chosen, from, values } = selectionSql(db, selection)
  const ids = `${chosen} SELECT p._id ${from} AND ${ACTIVE}`
  return rowsFrom(db, participants, `WHERE _id IN (${ids}) ORDER BY _id`, values)
}

/** Puts the participants of a selection who are neither archived nor withdrawn, nor withdrew their consent, into the queue of a job. */
export function queueRecipients(db: Db, job: Id, selection: Selection): void {
  const { chosen, from, values } = selectionSql(db, selection)
  db.$client
    .query<unknown, [Values]>(`${chosen} INSERT INTO notificationQueue SELECT $job, p._id ${from} AND ${ACTIVE}`)
    .run({ ...values, job })
}

export type PendingJob = Omit<Job, 'input'> & { input: NotificationJob }

/** The job that has waited longest; undefined if none does. */
export const nextJob = (db: Db): PendingJob | undefined =>
  rowsFrom(db, jobs, `WHERE status = 'pending' AND kind = '${notifyParticipants.kind}' ORDER BY _id LIMIT 1`)[0] as
    | PendingJob
    | undefined

/** The next participants in the queue of a job. */
export const nextRecipients = (db: Db, job: Id, limit: number): ParticipantRow[] =>
  rowsFrom(
    db,
    participants,
    'WHERE _id IN (SELECT participant FROM notificationQueue WHERE job = $job ORDER BY participant LIMIT +$limit) ORDER BY _id',
    { job, limit },
  )

/** Takes participants out of the queue of a job. */
export const dequeue = (db: Db, job: Id, ids: readonly Id[]) =>
  db.$client
    .query<unknown, [{ job: Id; ids: string }]>(
      'DELETE FROM notificationQueue WHERE job = $job AND participant IN (SELECT value FROM json_each($ids))',
    )
    .run({ job, ids: JSON.stringify(ids) })

/** Saves how far a job is. With `result`, it is done. */
export const saveJob = (
  db: Db,
  { _id, startedAt }: PendingJob,
  change: Pick<Job, 'input' | 'progress'> & { result?: Job['result'] },
  now: Instant,
) =>
  updateWhere(
    db,
    jobs,
    { _id },
    {
      ...change,
      startedAt: startedAt ?? now,
      ...(change.result && { status: 'done' as const, finishedAt: now }),
    },
  )
