/** Drafts of answers. */
import { transactionCache } from '#db/commit'
import type { Db } from '#db/open'
import { deleteWhere, rowsWhere, rowWhere, upsert } from '#db/rows'
import { drafts } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

export type Draft = Pick<
  typeof drafts.$inferSelect,
  'stage' | 'stageRecurrence' | 'savedAt' | 'response' | 'updateNote'
>

/** The drafts of one author for a participant. */
export const draftsOf = (db: Db, participant: Id, author: Id): Draft[] => rowsWhere(db, drafts, { participant, author })

/** Saves a draft, in place of an earlier one of its author. Returns when that was begun; undefined if there was none. */
export function saveDraft(db: Db, participant: Id, author: Id, draft: Draft): Instant | undefined {
  const { stage, stageRecurrence, savedAt } = draft
  const earlier = rowWhere(db, drafts, { participant, stage, stageRecurrence, author })
  const counted = { startedAt: earlier ? earlier.startedAt : savedAt, saves: (earlier?.saves ?? 0) + 1 }
  upsert(db, drafts, { participant, author, ...draft, ...counted }, 'participant', 'stage', 'stageRecurrence', 'author')
  transactionCache(db)?.delete(WITH_DRAFTS)
  return earlier && (earlier.startedAt ?? 0) // drafts of earlier versions do not say when they were begun
}

/** Whether the trail has this reason to save the draft without a consent since it was begun. */
export const isReasonRecorded = (
  db: Db,
  of: { trial: Id; participant: Id; author: Id; stage: Id; since: Instant; reason: string },
): boolean =>
  db.$client
    .query<unknown, [typeof of]>(
      `SELECT 1 FROM auditEntries WHERE chain = $trial AND participant = $participant AND type = 'saveDraft' AND +user = $author
         AND createdAt >= $since AND event ->> 'stage' = $stage AND event ->> '$.withoutConsent.reason' = $reason LIMIT 1`,
    )
    .get(of) !== null

/** Ends a draft. Returns when it was begun and how often it was saved; undefined if there was none. */
export function deleteDraft(db: Db, participant: Id, stage: Id, n: number, author: Id): DraftSaves | undefined {
  if (!mayHaveDraft(db, participant)) return undefined
  const of = { participant, stage, stageRecurrence: n, author }
  const draft = rowWhere(db, drafts, of)
  deleteWhere(db, drafts, of)
  return draft && { startedAt: draft.startedAt, saves: draft.saves }
}

type DraftSaves = Pick<typeof drafts.$inferSelect, 'startedAt' | 'saves'>

const WITH_DRAFTS = 'participants with drafts'
/** If there are so many drafts, each submission looks for one. */
const MANY = 20

/** Whether the participant may have a draft. Submissions of one transaction share the list of participants who have any. */
function mayHaveDraft(db: Db, participant: Id): boolean {
  const cache = transactionCache(db)
  let holders = cache?.get(WITH_DRAFTS) as Set<Id> | 'many' | undefined
  if (!holders) {
    const rows = db.$client
      .query<{ participant: Id }, []>(`SELECT participant FROM drafts WHERE participant > '' LIMIT ${MANY}`)
      .all()
    holders = rows.length < MANY ? new Set(rows.map((row) => row.participant)) : 'many'
    cache?.set(WITH_DRAFTS, holders)
  }
  return holders === 'many' || holders.has(participant)
}
