import type { ComponentChildren } from 'preact'
import type { AnswerOf } from '#web/kit/api/operations'
import type { Answer } from '#web/kit/api/send'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { translateProofRefusal } from './proofRefusal'
import type { SignInTranslator } from './texts'

/** The parts of a session that the pages use. */
export type Session = AnswerOf<'readSession'>

type Props = {
  translator: SignInTranslator
  /** Whether there was a session, which has ended. */
  hasEnded: boolean
  /** Sends what was entered. Its refusals are in the language of the page. */
  send: (body: Readonly<Record<string, string>>) => Promise<Answer<Session>>
  onSignedIn: (session: Session) => void
  /** The address of the person who was signed in, and who signs in again. */
  email?: string | undefined
  /** What else can be done, beside the button. */
  children?: ComponentChildren
}

/** The form with e-mail address and password, and the code of two-step sign-in. */
export function SignInForm({ translator, hasEnded, send, onSignedIn, email, children }: Props) {
  const { t } = translator
  const { submit, isBusy, faults } = useForm(async (body) => {
    const answer = await send(body)
    if (answer.isDone) onSignedIn(answer.body)
    return translateProofRefusal(translator, answer, t('signIn.refused'))
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit} aria-label={t('signIn.submit')}>
      {hasEnded && !faults.message && <Notice kind="info" title={t('signIn.ended')} isLive />}
      <Field
        label={t('signIn.email')}
        name="email"
        type="email"
        fault={at.email}
        initial={email}
        autoComplete="username"
      />
      <Field
        label={t('signIn.password')}
        name="password"
        type="password"
        fault={at.password}
        autoComplete="current-password"
      />
      <Field
        label={t('signIn.code')}
        name="code"
        note={t('signIn.codeNote')}
        fault={at.code}
        isOptional
        inputMode="numeric"
        autoComplete="one-time-code"
      />
      {faults.message && <Notice kind="fault" title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('signIn.submit')}
        </Button>
        <a class="plain" href="/account/forgotten">
          {t('signIn.forgot')}
        </a>
        {children}
      </div>
    </form>
  )
}
