/** The data that automatic queries read: new submissions, and the latest answers to compare with. */

import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import { put, rowWhere } from '#db/rows'
import { cursors } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** Readers that process the submissions in order: the rules, and the AI endpoint. */
export type Cursor = 'automaticQueries' | 'queriesOfAi'

/** The last submission that this reader has processed; undefined if there is none. */
export const lastExamined = (db: Db, cursor: Cursor): number | undefined =>
  rowWhere(db, cursors, { name: cursor })?.value

export const saveLastExamined = (db: Db, cursor: Cursor, submission: number) =>
  put(db, cursors, { name: cursor, value: submission }, 'name')

export const lastSubmission = (db: Db): number =>
  db.$client.query<{ last: number | null }, []>('SELECT max(_id) AS last FROM submissions').get()!.last ?? 0

export const submissionsAfter = (db: Db, after: number, limit: number) =>
  db.$client
    .query<{ _id: number; trial: Id; response: Id }, [{ after: number; limit: number }]>(
      'SELECT _id, trial, response FROM submissions WHERE _id > $after ORDER BY _id LIMIT $limit',
    )
    .all({ after, limit })

/** Trials with automatic queries switched on. */
export const enabledTrials = (db: Db): Id[] =>
  db.$client
    .query<{ _id: Id }, []>(`SELECT _id FROM trials WHERE settings ->> 'smartAutomaticQueriesEnabled'`)
    .all()
    .map(({ _id }) => _id)

/** The latest responses of all participants to a stage. */
export const latestOfStage = (db: Db, stage: Id) =>
  db.$client
    .query<Pick<ResponseRow, 'layout' | 'values'>, [{ stage: Id }]>(
      'SELECT layout, "values" FROM responses WHERE stage = $stage ORDER BY _id DESC LIMIT 300',
    )
    .all({ stage })

/** The latest responses of a participant. */
export const latestOfParticipant = (db: Db, participant: Id) =>
  db.$client
    .query<Pick<ResponseRow, '_id' | 'stage' | 'stageRecurrence' | 'layout' | 'values'>, [{ participant: Id }]>(
      `SELECT _id, stage, stageRecurrence, layout, "values" FROM responses WHERE participant = $participant
       ORDER BY _id DESC LIMIT 60`,
    )
    .all({ participant })
