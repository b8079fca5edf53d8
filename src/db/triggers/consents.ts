/** Triggers of consents: their numbers, and who gets reminders (docs/consent.md, "After a withdrawal"). */
import { countRows, RANDOM_VERSION, trigger } from './builders'

const due = (row: string) => `UPDATE participants SET progressDueAt = 0 WHERE _id = ${row}.participant`
/** What a trial does when somebody withdraws. */
const rule = (row: string) => `${row}.settings ->> '$.onConsentWithdrawal'`

export const consentTriggers: readonly string[] = [
  ...countRows('consents', 'consentForms', 'consentCount', 'form'),
  trigger('consentsProgressInsert', 'AFTER INSERT', 'consents', due('NEW'), 'NEW.participant IS NOT NULL'),
  trigger(
    'consentsProgressUpdate',
    'AFTER UPDATE OF participant, withdrawnAt',
    'consents',
    due('NEW'),
    'NEW.participant IS NOT NULL',
  ),
  trigger(
    'trialsProgressConsent',
    'AFTER UPDATE OF settings',
    'trials',
    `UPDATE trials SET revision = ${RANDOM_VERSION} WHERE _id = NEW._id`,
    `${rule('OLD')} IS NOT ${rule('NEW')}`,
  ),
]
