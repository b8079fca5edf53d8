/** The first page: sign in with the code of the study, an ID and a password. */
import { useState } from 'preact/hooks'
import { othersWaiting } from '#web/app/device/queue'
import { go, route } from '#web/app/route'
import { useSpeaker } from '#web/app/speaking'
import { Button, Field, Notice, useForm } from '#web/ui/components'
import { forgetCredentials, type Known, knownCredentials, rememberCredentials } from './credentials'
import { fromConsent } from './fromConsent'
import { Front } from './front'
import { Page } from './page'
import { sendSignIn } from './signInSend'

export function SignIn() {
  const { say, count } = useSpeaker()
  const others = othersWaiting.value
  return (
    <Front>
      <Page title={say('signIn.title')}>
        <p class="lead">{say('signIn.lead')}</p>
        {others > 0 && (
          <Notice kind="info" title={count('signIn.others', others)}>
            {say('signIn.othersNote')}
          </Notice>
        )}
        <SignInForm />
        <Help />
      </Page>
    </Front>
  )
}

function SignInForm() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [{ study, code }] = useState(fromConsent)
  const [known, setKnown] = useState<Known | undefined>(study ? undefined : knownCredentials)
  const [needsConsent, setNeedsConsent] = useState(code !== null)
  const { submit, isBusy, faults } = useForm(async (input) => {
    const trialCode = (input.trialCode ?? known?.trialCode ?? '').trim()
    const participantId = (input.participantId ?? known?.participantId ?? '').trim()
    const { password = '', contact = '', code = '' } = input
    const answer = await sendSignIn(
      speaker,
      { trialCode, participantId, password },
      needsConsent ? { contact, code } : undefined,
    )
    if (answer.needsConsent) {
      setNeedsConsent(true)
      return { ...answer, message: say('signIn.consentNote') }
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
            {say('signIn.as')} <bdi class="strong">{known.participantId}</bdi>
            <span class="note">
              {say('signIn.inStudy')} <bdi>{known.trialCode}</bdi>
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
            {say('signIn.other')}
          </button>
          <input type="hidden" autocomplete="username" value={known.participantId} />
        </div>
      ) : (
        <>
          <Field
            label={say('signIn.code')}
            name="trialCode"
            note={say('signIn.codeNote')}
            initial={study ?? ''}
            maxLength={100}
            fault={at.trialCode}
            autoComplete="off"
          />
          <Field
            label={say('signIn.id')}
            name="participantId"
            maxLength={50}
            fault={at.participantId}
            autoComplete="username"
          />
        </>
      )}
      <Field
        label={say('signIn.password')}
        name="password"
        type="password"
        maxLength={200}
        fault={at.password}
        autoComplete="current-password"
      />
      {needsConsent && (
        <>
          <Field
            label={say('signIn.contact')}
            name="contact"
            note={say('signIn.contactNote')}
            maxLength={200}
            fault={at.eConsentEmail ?? at.eConsentPhone}
            autoComplete="email"
          />
          <Field
            label={say('signIn.consentCode')}
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
          {say('signIn.submit')}
        </Button>
      </div>
    </form>
  )
}

function Help() {
  const { say } = useSpeaker()
  return (
    <details class="fold">
      <summary>{say('signIn.help')}</summary>
      <ul class="plain-list">
        <li>{say('signIn.helpCode')}</li>
        <li>{say('signIn.helpLink')}</li>
        <li>{say('signIn.helpForgotten')}</li>
      </ul>
    </details>
  )
}
