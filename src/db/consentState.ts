/** Whether participants have withdrawn their consent, as conditions of SQL (docs/consent.md, "After a withdrawal"). */
import { isBeingDeleted } from './pendingDeletions'

/** Whether the participant has withdrawn all of their consents. @param participant the SQL of their `_id` */
const hasWithdrawnConsent = (participant: string): string =>
  `coalesce((SELECT min(withdrawnAt IS NOT NULL) FROM consents WHERE participant = ${participant}), 0)`

/** Whether the participant gets no messages because they withdrew their consent or are being deleted. Parameters as below. */
export const messagesStopped = (participant: string, trial: string): string =>
  `(${isBeingDeleted(participant)} OR ${consentStopsMessages(participant, trial)})`

/**
 * The same, by consent only. Derived values use it: those of a participant who is being deleted do not change.
 * @param participant the SQL of their `_id`; @param trial the SQL of that of their trial
 */
export const consentStopsMessages = (participant: string, trial: string): string =>
  `(${hasWithdrawnConsent(participant)} AND (SELECT coalesce(settings ->> '$.onConsentWithdrawal.stopMessages', 1)
    FROM trials WHERE _id = ${trial}))`
