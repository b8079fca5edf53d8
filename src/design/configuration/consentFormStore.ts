/** What consent forms refer to, and what refers to them: it cannot be deleted meanwhile. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'

/** Refuses (400) to delete a stage that a consent form offers after the consent. The error names these forms. */
export function refuseOfferedStage(db: Db, { _id, trial, name }: { _id: Id; trial: Id; name: string }): void {
  const by = db.$client
    .query<{ name: string }, [{ trial: Id; _id: Id }]>(
      `SELECT ifnull(f.name, f.formKey) AS name FROM consentForms f
       JOIN consentFormVersions v ON v.form = f._id AND v.number = f.version
       WHERE f.trial = +$trial AND v.content ->> 'postConsentStage' = $_id ORDER BY f._id`,
    )
    .all({ trial, _id })
  if (by.length)
    throw refuse.stillInUse(
      name,
      by.map((each) => each.name),
    )
}

/** Those of these keys, without regard to case, that no consent form of the trial has. */
const unknownFormKeys = (db: Db, trial: Id, keys: readonly string[]): string[] =>
  keys.length
    ? db.$client
        .query<{ key: string }, [{ trial: Id; keys: string }]>(
          `SELECT value AS key FROM json_each($keys) WHERE NOT EXISTS (SELECT 1 FROM consentForms
             WHERE trial = +$trial AND formKey = value COLLATE NOCASE) ORDER BY json_each.key`,
        )
        .all({ trial, keys: JSON.stringify(keys) })
        .map(({ key }) => key)
    : []

/** Problems of a field that names consent forms by their keys. */
export const formKeyProblems = (db: Db, trial: Id, keys: readonly string[]): Reason[] =>
  unknownFormKeys(db, trial, keys).map((key) => reason('formKeyUnknown', { key }))

/** What requires a consent with the form of this key: stages and randomisations by name, and the settings of the trial. */
export const requirersOf = (db: Db, trial: Id, formKey: string): (string | Reason)[] =>
  db.$client
    .query<{ name: string | null }, [{ trial: Id; formKey: string }]>(
      `WITH requirers AS (
         SELECT NULL AS name, settings ->> '$.requiresConsent' AS keys FROM trials WHERE _id = +$trial
         UNION ALL SELECT name, settings ->> '$.requiresConsent' FROM stages WHERE trial = +$trial
         UNION ALL SELECT name, requiresConsent FROM randomisations WHERE trial = +$trial)
       SELECT name FROM requirers WHERE EXISTS
         (SELECT 1 FROM json_each(ifnull(requirers.keys, '[]')) WHERE value = $formKey COLLATE NOCASE)`,
    )
    .all({ trial, formKey })
    .map(({ name }) => (name === null ? reason('settingsOfTrial') : reason('quoted', { name })))
