/** How many codes a trial has sent on a day. */
import type { Db } from '#db/open'
import { rowWhere, updateWhere } from '#db/rows'
import { codeDays } from '#db/tables/index'
import type { Id } from '#kernel/id'

export const codesOn = (db: Db, trial: Id, day: string): { count: number; isWarned: boolean } =>
  rowWhere(db, codeDays, { trial, day }) ?? { count: 0, isWarned: false }

/** Counts a code. Earlier days are forgotten. Returns how many the day has now. */
export function addCode(db: Db, trial: Id, day: string): number {
  db.$client
    .query<unknown, [{ trial: Id; day: string }]>('DELETE FROM codeDays WHERE trial = $trial AND day < $day')
    .run({ trial, day })
  return (
    db.$client
      .query<{ count: number }, [{ trial: Id; day: string }]>(
        `INSERT INTO codeDays (trial, day, count) VALUES ($trial, $day, 1)
         ON CONFLICT (trial, day) DO UPDATE SET count = count + 1 RETURNING count`,
      )
      .get({ trial, day })?.count ?? 0
  )
}

export const markWarned = (db: Db, trial: Id, day: string): number =>
  updateWhere(db, codeDays, { trial, day }, { isWarned: true })
