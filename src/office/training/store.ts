import type { Db } from '#db/open'
import { insert, rowsFrom } from '#db/rows'
import { trainings } from '#db/tables/index'
import type { Id } from '#kernel/id'

export type TrainingRow = typeof trainings.$inferSelect

/** The training of a site, oldest first. */
export const trainingsOf = (db: Db, site: Id, limit = -1, skip = 0): TrainingRow[] =>
  rowsFrom(db, trainings, 'WHERE site = $site ORDER BY _id LIMIT +$limit OFFSET +$skip', { site, limit, skip })

export const insertTraining = (db: Db, row: typeof trainings.$inferInsert): TrainingRow => insert(db, trainings, row)

/** What entries about the same training have in common, whatever the case and the spaces. */
const foldTraining = (training: string) =>
  training.trim().replace(/\s+/g, ' ').normalize('NFKC').toUpperCase().toLowerCase()

/** The training of a person at a site that was not renewed, by `_id`: of each the last entry, in the order of their days. */
function lastOf(db: Db, site: Id, user: Id): ReadonlyMap<Id, TrainingRow> {
  const ofUser = 'WHERE site = $site AND user = $user AND struckAt IS NULL ORDER BY trainedOn, _id'
  const rows = rowsFrom(db, trainings, ofUser, { site, user })
  const last = new Map(rows.map((row) => [foldTraining(row.training), row._id]))
  return new Map(rows.flatMap((row) => (last.get(foldTraining(row.training)) === row._id ? [[row._id, row]] : [])))
}

/** Tells which training of a person at one site was not renewed. It reads that of each person once, however many entries ask. */
export type LastTrainings = (user: Id) => ReadonlyMap<Id, TrainingRow>

export function lastTrainingsAt(db: Db, site: Id): LastTrainings {
  const people = new Map<Id, ReadonlyMap<Id, TrainingRow>>()
  return (user) => {
    const last = people.get(user) ?? lastOf(db, site, user)
    people.set(user, last)
    return last
  }
}

/** Whether a later entry of the site is about the same person and training. The entry is not struck out. */
export const isRenewed = ({ _id, user }: TrainingRow, last: LastTrainings): boolean => !last(user).has(_id)

/** The names of the training of a person that has expired and was not renewed. @param today in the zone of the trial */
export const expiredTrainings = (user: Id, last: LastTrainings, today: string): string[] =>
  [...last(user).values()].flatMap(({ expiresOn, training }) =>
    expiresOn !== null && expiresOn < today ? [training] : [],
  )
