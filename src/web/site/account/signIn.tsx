import { ask } from '#web/kit/api/send'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { translateProofRefusal } from './proof'
import type { Session } from './session'
import { useTranslator } from './translator'

type Props = {
  /** Whether there was a session, which has ended. */
  hasEnded: boolean
  onSignedIn: (session: Session) => void
}

/** The form with e-mail address and password. */
export function SignIn({ hasEnded, onSignedIn }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const { submit, isBusy, faults } = useForm(async (body) => {
    const answer = await ask<Session>(translator, 'POST', '/sessions', { body })
    if (answer.isDone) onSignedIn(answer.body)
    return translateProofRefusal(translator, answer, t('account.refused'))
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit} aria-label={t('account.signIn')}>
      {hasEnded && !faults.message && <Notice kind="info" title={t('account.sessionEnded')} isLive />}
      <Field label={t('account.email')} name="email" type="email" fault={at.email} autoComplete="username" />
      <Field
        label={t('account.password')}
        name="password"
        type="password"
        fault={at.password}
        autoComplete="current-password"
      />
      <Field
        label={t('account.code')}
        name="code"
        note={t('account.codeNote')}
        fault={at.code}
        isOptional
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('account.signIn')}
        </Button>
        <a class="plain" href="/account/forgotten">
          {t('account.forgot')}
        </a>
      </div>
    </form>
  )
}
