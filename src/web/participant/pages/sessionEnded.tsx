/** The session has ended: the password is asked for, over the page, which stays as it is. */
import { signal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { needsSignIn, person } from '#web/participant/device/session'
import { useTranslator } from '#web/participant/texts'
import { readCredentials } from './credentials'
import { sendSignIn } from './sendSignIn'
import { useStudy } from './study'

/** Whether the person wants to go on without a session for now: what they do is kept on the device. */
const isPostponed = signal(false)

/** Asks for the password again. */
export const askForPassword = (): void => {
  isPostponed.value = false
}

export function SessionEnded() {
  const isOver = needsSignIn.value
  useEffect(() => {
    if (!isOver) isPostponed.value = false
  }, [isOver])
  return isOver && !isPostponed.value ? <PasswordDialog /> : null
}

function PasswordDialog() {
  const translator = useTranslator()
  const { t } = translator
  const { me } = useStudy()
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const before = document.activeElement
    dialog.current?.showModal()
    return () => {
      if (before instanceof HTMLElement && before.isConnected) before.focus()
    }
  }, [])
  const trialCode = me?.trial.code ?? readCredentials()?.trialCode ?? ''
  const participantId = person.value?.participantId ?? ''
  const { submit, isBusy, faults } = useForm(({ password = '' }) =>
    sendSignIn(translator, { trialCode, participantId, password }),
  )
  return (
    <dialog
      ref={dialog}
      class="dialog"
      aria-labelledby="session-title"
      onClose={() => {
        isPostponed.value = needsSignIn.value
      }}
    >
      <h2 id="session-title">{t('session.title')}</h2>
      <p>{t('session.note')}</p>
      <form onSubmit={submit}>
        <p>
          {t('signIn.as')} <bdi class="strong">{participantId}</bdi>
        </p>
        <Field
          label={t('signIn.password')}
          name="password"
          type="password"
          maxLength={200}
          fault={faults.fields.password}
          autoComplete="current-password"
        />
        {faults.message && <Notice kind="fault" title={faults.message} isLive />}
        <p class="note">{t('session.link')}</p>
        <div class="actions">
          <Button onPress={() => dialog.current?.close()}>{t('session.later')}</Button>
          <Button kind="main" type="submit" isBusy={isBusy}>
            {t('signIn.submit')}
          </Button>
        </div>
      </form>
    </dialog>
  )
}
