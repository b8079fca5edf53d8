import { useEffect, useRef } from 'preact/hooks'
import { hasEnded, session, takeSession, translatorNow } from '#web/console/data/session'
import { staffLanguages } from '#web/console/lang/staffLanguages'
import { useShellTranslator } from '#web/console/lang/texts'
import { ask } from '#web/kit/api/send'
import { LanguageMenu, Mark } from '#web/kit/page/page'
import { type Session, SignInForm } from '#web/kit/signIn/signIn'

const send = (body: Readonly<Record<string, string>>) => ask<Session>(translatorNow(), 'POST', '/sessions', { body })

/** The page of who is not signed in. The address stays: what it leads to is shown afterwards. */
export function SignInPage() {
  const translator = useShellTranslator()
  const { t } = translator
  useEffect(() => {
    document.title = `${t('signIn.submit')} · Trialbox`
  }, [t])
  return (
    <main class="front" id="page">
      <div class="front-mark">
        <Mark />
        <span>Trialbox</span>
        <span class="grow" />
        <LanguageMenu only={staffLanguages} />
      </div>
      <h1>{t('console.signInTitle')}</h1>
      <SignInForm translator={translator} hasEnded={false} send={send} onSignedIn={takeSession} />
    </main>
  )
}

/** Over the page, when the session has ended. It cannot be closed: without a session nothing of the page can be done. */
export function SignInAgain() {
  const translator = useShellTranslator()
  const { t } = translator
  const dialog = useRef<HTMLDialogElement>(null)
  const isOpen = hasEnded.value
  useEffect(() => {
    if (!isOpen) return
    const before = document.activeElement
    dialog.current?.showModal()
    dialog.current?.querySelector<HTMLElement>('[name=password]')?.focus()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [isOpen])
  if (!isOpen) return null
  return (
    <dialog
      ref={dialog}
      class="dialog sign-in-again"
      aria-labelledby="sign-in-again"
      // Without the key, browsers close a dialog that was asked twice.
      onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}
      onCancel={(event) => event.preventDefault()}
      onClose={() => hasEnded.peek() && dialog.current?.showModal()}
    >
      <h2 id="sign-in-again">{t('console.endedTitle')}</h2>
      <p>{t('console.endedNote')}</p>
      <SignInForm
        translator={translator}
        hasEnded={false}
        send={send}
        onSignedIn={takeSession}
        email={session.value?.user.email}
      />
    </dialog>
  )
}
