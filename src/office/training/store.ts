import type { Db } from '#db/open'
import { insert, rowsFrom } from '#db/rows'
import { trainings } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type TrainingRow = typeof trainings.$inferSelect

/** The training of a site, oldest first. */
export const trainingsOf = (db: Db, site: Id, limit = -1, skip = 0): TrainingRow[] =>
  rowsFrom(db, trainings, 'WHERE site = $site ORDER BY _id LIMIT +$limit OFFSET +$skip', { site, limit, skip })

export const insertTraining = (db: Db, row: typeof trainings.$inferInsert): TrainingRow => insert(db, trainings, row)

const RENEWED = `SELECT 1 FROM trainings n WHERE n.site = $site AND n.user = $user AND n.struckAt IS NULL
  AND (n.trainedOn, n._id) > ($trainedOn, $_id) AND lower(n.training) = lower($training) LIMIT 1`

/** Whether a later entry of the site is about the same person and training. */
export const isRenewed = (db: Db, { _id, site, user, trainedOn, training }: TrainingRow): boolean =>
  db.$client.query(RENEWED).get({ _id, site, user, trainedOn, training }) !== null

/** The names of the training of a person at a site that has expired and was not renewed. @param today in the zone of the trial */
export const expiredTrainings = (db: Db, site: Id, user: Id, today: string): string[] =>
  rowsFrom(
    db,
    trainings,
    'WHERE site = $site AND user = $user AND struckAt IS NULL AND expiresOn < $today ORDER BY trainedOn, _id',
    { site, user, today },
  ).flatMap((row) => (isRenewed(db, row) ? [] : [row.training]))
