/** The first page: sign in with the code of the study, an ID and a password. */
import { useState } from 'preact/hooks'
import { Button, Field, Notice, useForm } from '#web/kit/ui/components'
import { othersWaiting } from '#web/participant/device/queue'
import { go, route } from '#web/participant/route'
import { useTranslator } from '#web/participant/texts'
import { readConsentHandover } from './consentHandover'
import { forgetCredentials, readCredentials, rememberCredentials, type SavedCredentials } from './credentials'
import { Front } from './front'
import { Page } from './page'
import { sendSignIn } from './sendSignIn'

export function SignIn() {
  const { t, count } = useTranslator()
  const others = othersWaiting.value
  return (
    <Front>
      <Page title={t('signIn.title')}>
        <p class="lead">{t('signIn.lead')}</p>
        {others > 0 && (
          <Notice kind="info" title={count('signIn.others', others)}>
            {t('signIn.othersNote')}
          </Notice>
        )}
        <SignInForm />
        <Help />
      </Page>
    </Front>
  )
}

function SignInForm() {
  const translator = useTranslator()
  const { t } = translator
  const [{ study, code }] = useState(readConsentHandover)
  const [known, setKnown] = useState<SavedCredentials | undefined>(study ? undefined : readCredentials)
  const [needsConsent, setNeedsConsent] = useState(code !== null)
  const { submit, isBusy, faults } = useForm(async (input) => {
    const trialCode = (input.trialCode ?? known?.trialCode ?? '').trim()
    const participantId = (input.participantId ?? known?.participantId ?? '').trim()
    const { password = '', contact = '', code = '' } = input
    const answer = await sendSignIn(
      translator,
      { trialCode, participantId, password },
      needsConsent ? { contact, code } : undefined,
    )
    if (answer.needsConsent) {
      setNeedsConsent(true)
      return { ...answer, message: t('signIn.consentNote') }
    }
    if (answer.isDone) {
      rememberCredentials({ trialCode, participantId })
      if (route.value === 'sign-in' || route.value.startsWith('join')) go('', { replace: true })
    }
    return answer
  })
  const at = faults.fields
  return (
    <form class="card" onSubmit={submit}>
      {known ? (
        <div class="known">
          <p>
            {t('signIn.as')} <bdi class="strong">{known.participantId}</bdi>
            <span class="note">
              {t('signIn.inStudy')} <bdi>{known.trialCode}</bdi>
            </span>
          </p>
          <button
            type="button"
            class="plain"
            onClick={() => {
              forgetCredentials()
              setKnown(undefined)
            }}
          >
            {t('signIn.other')}
          </button>
          <input type="hidden" autocomplete="username" value={known.participantId} />
        </div>
      ) : (
        <>
          <Field
            label={t('signIn.code')}
            name="trialCode"
            note={t('signIn.codeNote')}
            initial={study ?? ''}
            maxLength={100}
            fault={at.trialCode}
            autoComplete="off"
          />
          <Field
            label={t('signIn.id')}
            name="participantId"
            maxLength={50}
            fault={at.participantId}
            autoComplete="username"
          />
        </>
      )}
      <Field
        label={t('signIn.password')}
        name="password"
        type="password"
        maxLength={200}
        fault={at.password}
        autoComplete="current-password"
      />
      {needsConsent && (
        <>
          <Field
            label={t('signIn.contact')}
            name="contact"
            note={t('signIn.contactNote')}
            maxLength={200}
            fault={at.eConsentEmail ?? at.eConsentPhone}
            autoComplete="email"
          />
          <Field
            label={t('signIn.consentCode')}
            name="code"
            initial={code ?? ''}
            maxLength={100}
            fault={at.eConsentCode}
            autoComplete="one-time-code"
          />
        </>
      )}
      {faults.message && <Notice kind={needsConsent ? 'info' : 'fault'} title={faults.message} isLive />}
      <div class="actions">
        <Button kind="main" type="submit" isBusy={isBusy}>
          {t('signIn.submit')}
        </Button>
      </div>
    </form>
  )
}

function Help() {
  const { t } = useTranslator()
  return (
    <details class="fold">
      <summary>{t('signIn.help')}</summary>
      <ul class="plain-list">
        <li>{t('signIn.helpCode')}</li>
        <li>{t('signIn.helpLink')}</li>
        <li>{t('signIn.helpForgotten')}</li>
      </ul>
    </details>
  )
}
