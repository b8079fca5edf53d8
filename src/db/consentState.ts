/** Whether participants have withdrawn their consent, as conditions of SQL (docs/consent.md, "After a withdrawal"). */
import { isBeingDeleted } from './deleting'

/** Whether somebody consented and withdrew all of it. @param participant the SQL of their `_id` */
const hasWithdrawnConsent = (participant: string): string =>
  `coalesce((SELECT min(withdrawnAt IS NOT NULL) FROM consents WHERE participant = ${participant}), 0)`

/** Whether somebody gets no messages, since they withdrew their consent, or a request deleted them. Parameters as below. */
export const messagesStopped = (participant: string, trial: string): string =>
  `(${isBeingDeleted(participant)} OR ${consentStopsMessages(participant, trial)})`

/**
 * The same by their consent alone, as it is in derived values: those of whom a request deleted stay as they are.
 * @param participant the SQL of their `_id`; @param trial the SQL of that of their trial
 */
export const consentStopsMessages = (participant: string, trial: string): string =>
  `(${hasWithdrawnConsent(participant)} AND (SELECT coalesce(settings ->> '$.onConsentWithdrawal.stopMessages', 1)
    FROM trials WHERE _id = ${trial}))`
