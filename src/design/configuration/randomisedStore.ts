/** What randomisations refer to: it cannot be deleted while they do. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

/** The names of the randomisations that refer to a group, stage, data type or pack type by an arm, a factor or the eligibility. */
const randomisationsWith = (db: Db, trial: Id, _id: Id): string[] =>
  db.$client
    .query<{ name: string }, [{ trial: Id; _id: Id }]>(
      `SELECT r.name FROM randomisations AS r WHERE r.trial = +$trial AND (
         instr(r.factors, $_id) OR instr(ifnull(r.eligibility, ''), $_id)
         OR EXISTS (SELECT 1 FROM randomisationArms AS a WHERE a.randomisation = r._id AND $_id IN (a."group", a.packType))
         OR EXISTS (SELECT 1 FROM randomisationDispensing AS d WHERE d.randomisation = r._id AND d.packType = $_id))
       ORDER BY r._id`,
    )
    .all({ trial, _id })
    .map(({ name }) => name)

/** Refuses (400) to delete what randomisations refer to. The error names these. */
export function refuseRandomised(db: Db, { _id, trial, name }: { _id: Id; trial: Id; name: string }): void {
  const by = randomisationsWith(db, trial, _id)
  if (by.length) throw refuse.stillInUse(name, by)
}
