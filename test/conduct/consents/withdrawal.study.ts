/** A study that people consented to, in which they answer, are reminded and written to. */

import { participants } from '#db/tables/index'
import { HOUR, MINUTE, parseInstant } from '#kernel/time'
import { present } from '../../present'
import { study } from '../../study'
import { addConsent } from './consentRows'

export const EMAIL = 'ann@example.org'

/** Anna has consented with the form `main`, has an address, and a form with reminders that is open. @param settings of the trial */
export async function consentedStudy(settings: Record<string, unknown> = {}, stage: Record<string, unknown> = {}) {
  const reminders = [{ hour: 2, body: 'Please answer.', sendVia: ['email'] }]
  const s = await study({ stage: { reminders, ...stage } })
  const { owner, nobody, trial, anna, db } = s
  await owner.do('updateTrial', trial, { eConsentEnabled: true, code: 'breath' })
  const forms = `/trials/${trial}/consentDocuments` as const
  const { _id: form } = await owner.do('createConsentForm', trial, { document: '<p>The study.</p>' })
  await owner.do('updateTrial', trial, settings)
  await owner.do('updateParticipant', trial, anna, { email: EMAIL })
  db.update(participants)
    .set({ joinedAt: present(parseInstant(s.now())) })
    .run()
  const add = (participant: string = anna, of: string = form, version = 1) => {
    s.clock(1)
    return addConsent(db, { trial, form: of, participant, at: present(parseInstant(s.now())), version, email: EMAIL })
  }
  const { consent } = add()
  /** The code in the newest message to an address. */
  const codeTo = (address: string): string =>
    /\d{6}/.exec(
      db.$client
        .query<{ body: string }, [string]>('SELECT body FROM outbox WHERE recipient = ? ORDER BY _id DESC LIMIT 1')
        .get(address)?.body ?? '',
    )?.[0] ?? ''
  /** Opens the public page, and proves the address. Returns the path of the withdrawal. */
  async function prove() {
    s.clock(2 * MINUTE)
    const { token } = await nobody.do('startConsentWithdrawal', 'breath', 'main', { method: 'email', address: EMAIL })
    const url = `/consent-withdrawals/${token}` as const
    await nobody.do('checkConsentWithdrawalCode', token, { method: 'email', code: codeTo(EMAIL) })
    return url
  }
  /** Withdraws as the person does. */
  async function withdraw(more: Record<string, unknown> = {}, consents: readonly string[] = [consent]) {
    const url = await prove()
    return nobody.call('POST', url, { consents, ...more })
  }
  const own = async (answers: Record<string, unknown> = { pulse: 70 }, more: Record<string, unknown> = {}) => {
    const ann = await s.signIn()
    const body = Object.fromEntries(Object.entries(s.sent(answers)).map(([key, each]) => [key, { ...each, ...more }]))
    return ann.call('POST', `/participants/trials/${trial}/stages/${s.stage}/responses`, body)
  }
  /** The messages to Anna since then that are not codes, by their status. */
  const messages = () =>
    db.$client
      .query<{ status: string; body: string }, [string]>(
        'SELECT status, body FROM outbox WHERE participant = ? ORDER BY _id',
      )
      .all(anna)
  const pass = async (time = HOUR) => {
    s.clock(time)
    await s.service.services.tick()
  }
  return { ...s, form, forms, consent, add, codeTo, prove, withdraw, own, messages, pass }
}
