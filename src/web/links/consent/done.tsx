/** After the signature: the document, the code for the first sign-in, and what follows. */

import { useEffect, useState } from 'preact/hooks'
import { studyText } from '#web/common/studyText'
import { Button, ButtonLink, Notice } from '#web/ui/components'
import { LinkPage } from '../frame'
import { WithdrawLink } from './ended'
import type { Kept } from './kept'
import { here, type Receipt, requests, type Sheet } from './server'
import { useSpeaker } from './speaking'

/** Milliseconds after which the link to the document is asked for anew: it works for an hour. */
const OLD = 40 * 60_000

/** The receipt with a link that works. */
function useFresh(token: string, first: Receipt): Receipt {
  const speaker = useSpeaker()
  const [receipt, setReceipt] = useState(first)
  useEffect(() => {
    let read = Date.now()
    const look = async () => {
      if (document.visibilityState !== 'visible' || Date.now() - read < OLD) return
      read = Date.now()
      const answer = await requests(speaker, `/consent-sessions/${token}`).read()
      if (answer.isDone && answer.body.consent) setReceipt(answer.body.consent)
    }
    const timer = setInterval(() => void look(), 60_000)
    addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      removeEventListener('visibilitychange', look)
    }
  }, [token])
  return receipt
}

type Props = { kept: Pick<Kept, 'token'>; sheet: Sheet; receipt: Receipt; onForget: () => void }

export function Done({ kept, sheet, receipt: first, onForget }: Props) {
  const { say, day } = useSpeaker()
  const receipt = useFresh(kept.token, first)
  const { url, fileHash, createdAt, postConsentText, postSubmissionText } = receipt
  const study = location.pathname.split('/')[3] ?? ''
  return (
    <LinkPage title={say('consent.done')} over={say('link.study', { study: sheet.trialName })} isNext>
      <p class="lead">{say('consent.doneNote', { day: day(createdAt.slice(0, 10)) })}</p>
      <StudyTexts texts={[postConsentText, postSubmissionText]} />
      <section class="card">
        <ButtonLink kind="main" href={here(url)}>
          {say('consent.download')}
        </ButtonLink>
        <p class="note after-button">{say('consent.keep')}</p>
        <details class="fold">
          <summary>{say('consent.hash')}</summary>
          <p>{say('consent.hashNote')}</p>
          <code dir="ltr">{fileHash}</code>
        </details>
      </section>
      <SignInCode code={receipt.signInCode} href={`/app/sign-in#${signInPart(study, receipt.signInCode)}`} />
      <NextForm stage={receipt.postConsentStage} />
      {sheet.requiresCountersignature && (
        <Notice kind="info" title={say('consent.countersign')}>
          {say('consent.countersignNote')}
        </Notice>
      )}
      <p class="note">{say('consent.forgetDoneNote')}</p>
      <div class="actions start">
        <Button onPress={onForget}>{say('consent.forgetDone')}</Button>
      </div>
      <WithdrawLink />
    </LinkPage>
  )
}

/** The part of the address that the sign-in fills in. It does not leave the device. */
const signInPart = (study: string, code: string | null): string =>
  new URLSearchParams({ study: decodeURIComponent(study), ...(code ? { code } : {}) }).toString()

/** What the study says after the consent. */
export function StudyTexts({ texts }: { texts: readonly (string | null)[] }) {
  const written = texts.filter((each) => each?.trim())
  if (!written.length) return null
  return (
    <section class="card">
      {written.map((text) => (
        <p key={text} class="lines-kept" {...studyText(text)}>
          {text}
        </p>
      ))}
    </section>
  )
}

/** The code, large, and what to do with it. @param href of the sign-in; undefined on a device of others */
export function SignInCode({ code, href }: { code: string | null; href?: string }) {
  const { say } = useSpeaker()
  const [isCopied, setCopied] = useState(false)
  if (!code) return null
  async function copy(text: string): Promise<void> {
    await navigator.clipboard.writeText(text).then(
      () => setCopied(true),
      () => {},
    )
  }
  return (
    <section class="card sign-in-code">
      <h2>{say('consent.codeTitle')}</h2>
      <p class="big-code" dir="ltr">
        {code}
      </p>
      <p>{say('consent.codeUse')}</p>
      {href && (
        <div class="actions start">
          {navigator.clipboard && <Button onPress={() => void copy(code)}>{say('consent.copy')}</Button>}
          <ButtonLink href={href}>{say('consent.toSignIn')}</ButtonLink>
        </div>
      )}
      <p role="status" class="note">
        {isCopied ? say('consent.copied') : ''}
      </p>
    </section>
  )
}

/** The form that follows. */
export function NextForm({ stage, onOpen }: { stage: Receipt['postConsentStage']; onOpen?: (url: string) => void }) {
  const { say } = useSpeaker()
  if (!stage) return null
  const { name, label, url } = stage
  const text = label || say('consent.formOpen', { name })
  return (
    <section class="card next-form">
      <h2>{say('consent.formNext')}</h2>
      {url === null ? (
        <p>{say('consent.formLater', { name })}</p>
      ) : onOpen ? (
        <Button kind="main" onPress={() => onOpen(here(url))}>
          {text}
        </Button>
      ) : (
        <ButtonLink kind="main" href={here(url)}>
          {text}
        </ButtonLink>
      )}
    </section>
  )
}
