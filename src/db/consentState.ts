/** Whether participants have withdrawn their consent, as conditions of SQL (docs/consent.md, "After a withdrawal"). */

/** Whether somebody consented and withdrew all of it. @param participant the SQL of their `_id` */
const hasWithdrawnConsent = (participant: string): string =>
  `coalesce((SELECT min(withdrawnAt IS NOT NULL) FROM consents WHERE participant = ${participant}), 0)`

/**
 * Whether somebody gets no messages, since they withdrew their consent.
 * @param participant the SQL of their `_id`; @param trial the SQL of that of their trial
 */
export const messagesStopped = (participant: string, trial: string): string =>
  `(${hasWithdrawnConsent(participant)} AND (SELECT coalesce(settings ->> '$.onConsentWithdrawal.stopMessages', 1)
    FROM trials WHERE _id = ${trial}))`
