import { Button, Field, Notice, useForm } from '#web/ui/components'
import { refusedProof } from './proof'
import { askInWords } from './refusals'
import type { Session } from './session'
import { useSpeaker } from './speaking'

type Props = {
  /** Whether there was a session, which has ended. */
  hasEnded: boolean
  onSignedIn: (session: Session) => void
}

/** The form with e-mail address and password. */
export function SignIn({ hasEnded, onSignedIn }: Props) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { submit, isBusy, faults } = useForm(async (body) => {
    const answer = await askInWords<Session>(speaker, 'POST', '/sessions', { body })
    if (answer.isDone) onSignedIn(answer.body)
    return refusedProof(speaker, answer, say('account.refused'))
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit} aria-label={say('account.signIn')}>
      {hasEnded && !faults.message && <Notice kind="info" title={say('account.sessionEnded')} isLive />}
      <Field label={say('account.email')} name="email" type="email" fault={at.email} autoComplete="username" />
      <Field
        label={say('account.password')}
        name="password"
        type="password"
        fault={at.password}
        autoComplete="current-password"
      />
      <Field
        label={say('account.code')}
        name="code"
        note={say('account.codeNote')}
        fault={at.code}
        isOptional
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {say('account.signIn')}
        </Button>
        <a class="plain" href="/account/forgotten">
          {say('account.forgot')}
        </a>
      </div>
    </form>
  )
}
