import type { Db } from '#db/open'
import { isBeingDeleted } from '#db/pendingDeletions'
import { deleteWhere, insert, rowsFrom, rowsWhere, updateWhere } from '#db/rows'
import { incentiveClaims, incentiveRules, incentives } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { IncentiveRow } from '#office/incentives/store'

export type RuleRow = typeof incentiveRules.$inferSelect
export type ClaimRow = typeof incentiveClaims.$inferSelect

/** The rules of a trial, oldest first. */
export const rulesOf = (db: Db, trial: Id): RuleRow[] => rowsWhere(db, incentiveRules, { trial }, '_id')

export const insertRule = (db: Db, row: typeof incentiveRules.$inferInsert): RuleRow => insert(db, incentiveRules, row)

export const changeRule = (db: Db, _id: Id, change: Partial<RuleRow>): number =>
  updateWhere(db, incentiveRules, { _id }, change)

/** Completions that are not paid yet, oldest first. */
export const dueClaims = (db: Db, limit: number): ClaimRow[] =>
  rowsFrom(
    db,
    incentiveClaims,
    `WHERE isDue = 1 AND NOT ${isBeingDeleted('participant')} ORDER BY createdAt LIMIT +$limit`,
    { limit },
  )

type ClaimKey = Pick<ClaimRow, 'rule' | 'participant' | 'stageRecurrence'>
const keyOf = ({ rule, participant, stageRecurrence }: ClaimKey) => ({ rule, participant, stageRecurrence })

/** Marks a claim as examined. It stays, so that the completion is not paid again. @param incentive what was paid */
export const markExamined = (db: Db, claim: ClaimKey, incentive?: Id): number =>
  updateWhere(db, incentiveClaims, keyOf(claim), { isDue: false, incentive })

/** A claim of the participant that was paid, but whose response is not theirs any more; undefined if there is none. */
export const orphanedClaim = (db: Db, { rule, participant }: ClaimKey): ClaimRow | undefined =>
  rowsFrom(
    db,
    incentiveClaims,
    `WHERE rule = +$rule AND participant = +$participant AND isDue = 0
       AND (SELECT status FROM incentives WHERE _id = incentiveClaims.incentive) NOT IN ('waiting', 'failed')
       AND NOT EXISTS (SELECT 1 FROM storedResponses r JOIN participants p ON p.key = r.participant
         WHERE r._id = incentiveClaims.response AND p._id = incentiveClaims.participant) LIMIT 1`,
    { rule, participant },
  )[0]

/** Forgets a claim whose completion was undone before it was paid. */
export const deleteClaim = (db: Db, claim: ClaimKey): number => deleteWhere(db, incentiveClaims, keyOf(claim))

/** Whether the participant still has a response to that occurrence. */
export const isCompleted = (db: Db, participant: Id, stage: Id, stageRecurrence: number): boolean =>
  db.$client
    .query<{ found: number }, [{ participant: Id; stage: Id; stageRecurrence: number }]>(
      `SELECT 1 AS found FROM storedResponses WHERE participant = (SELECT key FROM participants WHERE _id = +$participant)
         AND stage = (SELECT key FROM stages WHERE _id = +$stage) AND stageRecurrence = +$stageRecurrence`,
    )
    .get({ participant, stage, stageRecurrence }) !== null

/** How often a rule paid a participant, without what failed, counted up to `most`. */
export const paymentsTo = (db: Db, rule: Id, participant: Id, most: number): number =>
  db.$client
    .query<{ n: number }, [{ rule: Id; participant: Id; most: number }]>(
      `SELECT count(*) AS n FROM (SELECT 1 FROM incentives
         WHERE rule IS NOT NULL AND rule = +$rule AND participant = +$participant AND status <> 'failed' LIMIT +$most)`,
    )
    .get({ rule, participant, most })!.n

/** Rules with payments that wait, the longest waiting first. */
export const waitingRules = (db: Db): RuleRow[] =>
  rowsFrom(db, incentiveRules, 'WHERE waitingSince IS NOT NULL ORDER BY waitingSince')

/** The payment of a rule that has waited the longest; undefined if none waits. */
export const firstWaiting = (db: Db, rule: Id): IncentiveRow | undefined =>
  rowsFrom(
    db,
    incentives,
    `WHERE status = 'waiting' AND rule = +$rule AND NOT ${isBeingDeleted('participant')} ORDER BY _id LIMIT 1`,
    { rule },
  )[0]

/** The payments to a participant that wait are looked at again: meanwhile their rules had nothing to wait for. */
export const resumeWaiting = (db: Db, participant: Id, now: Instant): number =>
  db.$client
    .query<unknown, [{ participant: Id; now: Instant }]>(
      `UPDATE incentiveRules SET waitingSince = $now WHERE waitingSince IS NULL AND _id IN (
         SELECT rule FROM incentives WHERE participant = $participant AND status = 'waiting')`,
    )
    .run({ participant, now }).changes
