import { personalFields } from '#conduct/participants/store'
import type { Db } from '#db/open'
import { insert, rowsFrom } from '#db/rows'
import { insightTexts } from '#db/tables/index'
import type { Id } from '#kernel/id'

/** The job of this kind that the account has waiting or running, about the same; undefined if there is none. */
export const pendingJob = (
  db: Db,
  job: { kind: string; user: Id; trial: Id; participant: Id | null },
): { jobId: Id } | undefined =>
  db.$client
    .query<{ jobId: Id }, [typeof job]>(
      `SELECT _id AS jobId FROM jobs WHERE status = 'pending' AND kind = $kind AND user = $user AND trial = $trial
         AND input ->> 'participant' IS $participant`,
    )
    .get(job) ?? undefined

export type InsightText = typeof insightTexts.$inferSelect

export const insertText = (db: Db, row: InsightText) => insert(db, insightTexts, row)

/** The most texts that are read. */
const MOST = 20

/** The latest texts about a participant, newest first. */
export const textsAbout = (db: Db, participant: Id): InsightText[] =>
  rowsFrom(db, insightTexts, `WHERE participant = $participant ORDER BY _id DESC LIMIT ${MOST}`, { participant })

/** The latest texts about a whole trial, newest first. */
export const textsAboutTrial = (db: Db, trial: Id): InsightText[] =>
  rowsFrom(db, insightTexts, `WHERE trial = $trial AND participant IS NULL ORDER BY _id DESC LIMIT ${MOST}`, { trial })

/** The IDs of all participants of a trial, what they are called and how they can be reached, one after the other. */
export function* personalTexts(db: Db, trial: Id): Generator<string> {
  const columns = ['id', ...personalFields].join(', ')
  const statement = db.$client.query<Record<string, string | null>, [{ trial: Id }]>(
    `SELECT ${columns} FROM participants WHERE trial = +$trial`,
  )
  for (const row of statement.iterate({ trial })) for (const each of Object.values(row)) if (each !== null) yield each
}
