/** Which consent of a participant with a form counts, and which was withdrawn last. */
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** `signed`: the newest version that they signed and have not withdrawn. */
type FormConsent = { formKey: string; signed: number | null; withdrawnAt: Instant | null; blocksFrom: number | null }

/** What a participant signed of the form with this key, without regard to its case; undefined if there is no such form. */
export const formConsentOf = (db: Db, trial: Id, participant: Id, formKey: string): FormConsent | undefined =>
  db.$client
    .query<FormConsent, [{ trial: Id; participant: Id; formKey: string }]>(
      `SELECT f.formKey, f.blocksFrom,
         (SELECT max(version) FROM consents WHERE participant = $participant AND form = f._id AND withdrawnAt IS NULL) AS signed,
         (SELECT max(withdrawnAt) FROM consents WHERE participant = $participant AND form = f._id) AS withdrawnAt
       FROM consentForms f WHERE f.trial = +$trial AND f.formKey = $formKey COLLATE NOCASE`,
    )
    .get({ trial, participant, formKey }) ?? undefined

/** The key of the form whose consent a participant withdrew last. */
export const lastWithdrawnForm = (db: Db, participant: Id): string | undefined =>
  db.$client
    .query<{ formKey: string }, [{ participant: Id }]>(
      `SELECT f.formKey FROM consents c JOIN consentForms f ON f._id = c.form
       WHERE c.participant = $participant AND c.withdrawnAt IS NOT NULL ORDER BY c.withdrawnAt DESC LIMIT 1`,
    )
    .get({ participant })?.formKey

/** Whether a participant who withdrew chose that their data go. */
export const hasChosenRemoval = (db: Db, participant: Id): boolean =>
  db.$client
    .query<{ one: 1 }, [{ participant: Id }]>(
      `SELECT 1 AS one FROM consents WHERE participant = $participant AND withdrawalChoice <> 'keep' LIMIT 1`,
    )
    .get({ participant }) !== null
