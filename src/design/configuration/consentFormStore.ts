/** What consent forms refer to: it cannot be deleted while they do. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'

/** Refuses (400) to delete a stage that a consent form offers after the consent. The error names these forms. */
export function refuseOffered(db: Db, { _id, trial, name }: { _id: Id; trial: Id; name: string }): void {
  const by = db.$client
    .query<{ name: string }, [{ trial: Id; _id: Id }]>(
      `SELECT ifnull(f.name, f.formKey) AS name FROM consentForms f
       JOIN consentFormVersions v ON v.form = f._id AND v.number = f.version
       WHERE f.trial = +$trial AND v.content ->> 'postConsentStage' = $_id ORDER BY f._id`,
    )
    .all({ trial, _id })
  if (by.length)
    throw refuse.needed(
      name,
      by.map((each) => each.name),
    )
}
