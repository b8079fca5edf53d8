/** The data that automatic queries read: new submissions, and the latest answers to compare with. */

import { lastNumber, type ResponseRow } from '#conduct/responses/store'
import { cursorOf, setCursor } from '#db/cursors'
import type { Db } from '#db/open'
import { deleteWhere, insert, rowsWhere } from '#db/rows'
import { automaticQueryStarts } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** Readers that process the submissions in order: the rules, and the AI endpoint. */
type Cursor = 'automaticQueries' | 'queriesOfAi'

/** The last submission that this reader has processed; undefined if there is none. */
export const lastExamined = (db: Db, cursor: Cursor): number | undefined => cursorOf(db, cursor)

export const saveLastExamined = (db: Db, cursor: Cursor, submission: number) => setCursor(db, cursor, submission)

export const lastSubmission = (db: Db): number => lastNumber(db, 'submissions')

/** The next submissions. `trial` and `stage` are null if their layout was lost to damage. */
export const submissionsAfter = (db: Db, after: number, limit: number) =>
  db.$client
    .query<{ _id: number; trial: Id | null; stage: Id | null; response: Id }, [{ after: number; limit: number }]>(
      'SELECT _id, trial, stage, response FROM submissions WHERE _id > +$after ORDER BY _id LIMIT +$limit',
    )
    .all({ after, limit })

/** Trials with automatic queries switched on. */
export const enabledTrials = (db: Db): Id[] =>
  db.$client
    .query<{ _id: Id }, []>(`SELECT _id FROM trials WHERE settings ->> 'smartAutomaticQueriesEnabled'`)
    .all()
    .map(({ _id }) => _id)

/**
 * Stores, for each trial with automatic queries, the first submission that the rules check: the next one after they were switched
 * on. Returns it by trial.
 */
export function updateStarts(db: Db, enabled: ReadonlySet<Id>): Map<Id, number> {
  const starts = new Map(rowsWhere(db, automaticQueryStarts, {}, 'trial').map((row) => [row.trial, row.submission]))
  for (const trial of starts.keys()) {
    if (enabled.has(trial)) continue
    deleteWhere(db, automaticQueryStarts, { trial })
    starts.delete(trial)
  }
  const submission = (lastExamined(db, 'automaticQueries') ?? 0) + 1
  for (const trial of enabled) {
    if (starts.has(trial)) continue
    insert(db, automaticQueryStarts, { trial, submission })
    starts.set(trial, submission)
  }
  return starts
}

/** The latest responses of all participants to a stage, oldest first. @param after only responses with a larger `_id` */
export const latestOfStage = (db: Db, stage: Id, after: Id, limit: number) =>
  db.$client
    .query<Pick<ResponseRow, '_id' | 'layout' | 'values'>, [{ stage: Id; after: Id; limit: number }]>(
      `SELECT _id, layout, "values" FROM responses WHERE stage = +$stage AND _id > $after
       ORDER BY _id DESC LIMIT +$limit`,
    )
    .all({ stage, after, limit })
    .reverse()

/** Those of these responses that were not deleted. */
export const existingAmong = (db: Db, responses: readonly Id[]): ReadonlySet<Id> =>
  new Set(
    db.$client
      .query<{ _id: Id }, [{ ids: string }]>(
        'SELECT _id FROM responses WHERE _id IN (SELECT value FROM json_each($ids))',
      )
      .all({ ids: JSON.stringify(responses) })
      .map(({ _id }) => _id),
  )

/** The latest responses of a participant. */
export const latestOfParticipant = (db: Db, participant: Id) =>
  db.$client
    .query<Pick<ResponseRow, '_id' | 'stage' | 'stageRecurrence' | 'layout' | 'values'>, [{ participant: Id }]>(
      `SELECT _id, stage, stageRecurrence, layout, "values" FROM responses WHERE participant = +$participant
       ORDER BY _id DESC LIMIT 60`,
    )
    .all({ participant })
