import { ask } from '#web/kit/api/send'
import { type Session, SignInForm } from '#web/kit/signIn/signIn'
import { useTranslator } from './translator'

type Props = {
  /** Whether there was a session, which has ended. */
  hasEnded: boolean
  onSignedIn: (session: Session) => void
}

/** The form with e-mail address and password. */
export function SignIn({ hasEnded, onSignedIn }: Props) {
  const translator = useTranslator()
  return (
    <SignInForm
      translator={translator}
      hasEnded={hasEnded}
      send={(body) => ask<Session>(translator, 'POST', '/sessions', { body })}
      onSignedIn={onSignedIn}
    />
  )
}
