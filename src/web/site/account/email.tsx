import { useEffect, useState } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import { translateProofRefusal } from '#web/kit/signIn/signIn'
import { Button, Field, Notice, refusedField, Skeleton, showToast, useForm } from '#web/kit/ui/components'
import { CodeField } from './proof'
import { type TwoStep, useSession } from './session'
import { useTranslator } from './translator'

/** What the operator of a server without e-mail runs. The addresses are left out: a shell might read more in one than an address. */
const COMMAND = 'trialbox users move --email … --to …'

/** What the server answered to the wish for a new address. */
type EmailChange = AnswerOf<'requestEmailChange'>

/** Moves the account to another e-mail address: the password first, then the code that was sent there. */
export function Page() {
  const { send } = useSession()
  const [twoStep, setTwoStep] = useState<TwoStep>()
  const [fault, setFault] = useState<string>()
  const [emailChange, setAsked] = useState<EmailChange>()
  useEffect(() => {
    void send<TwoStep>('GET', '/users/me/totp').then((answer) =>
      answer.isDone ? setTwoStep(answer.body) : setFault(answer.message),
    )
  }, [send])
  if (fault) return <Notice kind="fault" title={fault} isLive />
  if (!twoStep) return <Skeleton lines={4} />
  if (!emailChange) return <AddressForm needsCode={twoStep.isOn} onSent={setAsked} />
  return emailChange.sendsEmail ? (
    <CodeForm emailChange={emailChange} onEnd={() => setAsked(undefined)} />
  ) : (
    <OperatorNote />
  )
}

/** The new address, with the password. */
function AddressForm({ needsCode, onSent }: { needsCode: boolean; onSent: (emailChange: EmailChange) => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { user, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ email, password, code }) => {
    const answer = await send<EmailChange>('POST', '/users/me/email', { email, password, code })
    if (answer.isDone) onSent(answer.body)
    else if (answer.details.code === 'tooSoon') return { ...answer, message: t('email.tooSoon') }
    else if (answer.details.code === 'tooManyCodes') return { ...answer, message: t('email.tooMany') }
    return translateProofRefusal(translator, answer, t(needsCode ? 'account.wrongProof' : 'password.wrong'))
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit} aria-label={t('email.title')}>
      <p>
        {t('email.present')} <bdi class="strong">{user.email}</bdi>
      </p>
      <Field
        label={t('email.new')}
        name="email"
        type="email"
        note={t('email.newNote')}
        fault={at.email}
        maxLength={200}
        autoComplete="email"
      />
      <Field
        label={t('password.current')}
        name="password"
        type="password"
        fault={at.password}
        autoComplete="current-password"
      />
      {needsCode && <CodeField fault={at.code} note={t('account.eitherCode')} />}
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('email.send')}
        </Button>
      </div>
    </form>
  )
}

/** The code that is at the new address now. */
function CodeForm({ emailChange: { email }, onEnd }: { emailChange: EmailChange; onEnd: () => void }) {
  const translator = useTranslator()
  const { t, count } = translator
  const { user, setUser, send } = useSession()
  const { submit, isBusy, faults } = useForm(async ({ code }) => {
    type CodeCheck = { isChanged: boolean; triesLeft: number; email: string }
    const answer = await send<CodeCheck>('POST', '/users/me/email/confirmations', { code })
    if (!answer.isDone) return answer.status === 400 ? refusedField('code', t('email.ended')) : answer
    if (!answer.body.isChanged) return refusedField('code', count('email.wrong', answer.body.triesLeft))
    setUser({ ...user, email: answer.body.email })
    showToast(t('email.changed'))
    onEnd()
    return answer
  })
  return (
    <form class="card" onSubmit={submit} aria-label={t('email.title')}>
      <h2>{t('email.enter')}</h2>
      <p>
        {t('email.sent')} <bdi class="strong">{email}</bdi>
      </p>
      <CodeField fault={faults.fields.code} note={t('email.codeNote')} />
      <p class="note">{t('email.effects')}</p>
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button onPress={onEnd}>{t('email.other')}</Button>
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('email.move')}
        </Button>
      </div>
    </form>
  )
}

/** What to do where the server sends no e-mail: the operator moves the account. */
function OperatorNote() {
  const { t } = useTranslator()
  return (
    <section class="card" role="status">
      <h2>{t('forgotten.noMail')}</h2>
      <p>{t('email.noMailNote')}</p>
      <output class="secret" dir="ltr">
        {COMMAND}
      </output>
    </section>
  )
}
