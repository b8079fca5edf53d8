import { useEffect, useState } from 'preact/hooks'
import { translateProofRefusal } from '#web/kit/signIn/signIn'
import { Button, Field, Notice, refusedField, Skeleton, useForm } from '#web/kit/ui/components'
import { NewPassword, repetitionFault } from './newPassword'
import { CodeField } from './proof'
import { type TwoStep, useSession } from './session'
import { useTranslator } from './translator'

/** Changes the password, with the present one and, if two-step sign-in is on, a code. */
export function Page() {
  const translator = useTranslator()
  const { t } = translator
  const { user, send } = useSession()
  const [twoStep, setTwoStep] = useState<TwoStep>()
  const [fault, setFault] = useState<string>()
  const [changes, setChanges] = useState(0)
  useEffect(() => {
    void send<TwoStep>('GET', '/users/me/totp').then((answer) =>
      answer.isDone ? setTwoStep(answer.body) : setFault(answer.message),
    )
  }, [send])
  const { submit, isBusy, faults } = useForm(async (input) => {
    const differs = repetitionFault(translator, input)
    if (differs) return differs
    const { again: _again, username: _username, ...body } = input
    const answer = await send('PUT', '/users/me', body)
    // The fields are made anew, and so are empty.
    if (answer.isDone) setChanges(changes + 1)
    // Without a code, only the present password can be wrong.
    if (!twoStep?.isOn && !answer.isDone && answer.status === 400)
      return refusedField('currentPassword', t('password.wrong'))
    return translateProofRefusal(translator, answer, t('account.wrongProof'))
  })
  const at = faults.fields
  if (fault) return <Notice kind="fault" title={fault} isLive />
  if (!twoStep) return <Skeleton lines={5} />
  return (
    <>
      {changes > 0 && <Notice kind="success" title={t('password.changed')} isLive />}
      <form class="card" key={changes} onSubmit={submit} aria-label={t('password.title')}>
        {/* Managers of passwords read from it whose password is changed. */}
        <input
          class="hidden"
          name="username"
          value={user.email}
          autoComplete="username"
          tabIndex={-1}
          readOnly
          aria-hidden
        />
        <Field
          label={t('password.current')}
          name="currentPassword"
          type="password"
          fault={at.currentPassword}
          maxLength={200}
          autoComplete="current-password"
        />
        {twoStep.isOn && <CodeField fault={at.code} note={t('account.eitherCode')} />}
        <NewPassword label={t('password.new')} faults={at} />
        <p class="note">{t('password.effects')}</p>
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <div class="actions">
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('password.change')}
          </Button>
        </div>
      </form>
    </>
  )
}
