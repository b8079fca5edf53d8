/** After the signature: the document, the code for the first sign-in, and what follows. */

import { useEffect, useState } from 'preact/hooks'
import { localPath } from '#web/kit/api/localPath'
import { studyText } from '#web/kit/language/studyText'
import { Button, ButtonLink, Notice } from '#web/kit/ui/components'
import { LinkPage } from '../frame'
import { WithdrawLink } from './endedConsent'
import { type Receipt, requests, type Sheet } from './requests'
import type { SavedConsent } from './savedConsent'
import { useTranslator } from './translator'

/** Milliseconds after which the link to the document is asked for anew: it works for an hour. */
const RENEWAL_AGE = 40 * 60_000

/** The receipt with a link that works. */
function useFreshReceipt(token: string, first: Receipt): Receipt {
  const translator = useTranslator()
  const [receipt, setReceipt] = useState(first)
  useEffect(() => {
    let read = Date.now()
    const look = async () => {
      if (document.visibilityState !== 'visible' || Date.now() - read < RENEWAL_AGE) return
      read = Date.now()
      const answer = await requests(translator, `/consent-sessions/${token}`).read()
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

type Props = { saved: Pick<SavedConsent, 'token'>; sheet: Sheet; receipt: Receipt; onForget: () => void }

export function Done({ saved, sheet, receipt: first, onForget }: Props) {
  const { t, day } = useTranslator()
  const receipt = useFreshReceipt(saved.token, first)
  const { url, fileHash, createdAt, postConsentText, postSubmissionText } = receipt
  const study = location.pathname.split('/')[3] ?? ''
  return (
    <LinkPage title={t('consent.done')} overline={t('link.study', { study: sheet.trialName })} isNext>
      <p class="lead">{t('consent.doneNote', { day: day(createdAt.slice(0, 10)) })}</p>
      <StudyTexts texts={[postConsentText, postSubmissionText]} />
      <section class="card">
        <ButtonLink kind="main" href={localPath(url)}>
          {t('consent.download')}
        </ButtonLink>
        <p class="note after-button">{t('consent.keep')}</p>
        <details class="fold">
          <summary>{t('consent.hash')}</summary>
          <p>{t('consent.hashNote')}</p>
          <code dir="ltr">{fileHash}</code>
        </details>
      </section>
      <SignInCode code={receipt.signInCode} href={`/app/sign-in#${signInPart(study, receipt.signInCode)}`} />
      <NextForm stage={receipt.postConsentStage} />
      {sheet.requiresCountersignature && (
        <Notice kind="info" title={t('consent.countersign')}>
          {t('consent.countersignNote')}
        </Notice>
      )}
      <p class="note">{t('consent.forgetDoneNote')}</p>
      <div class="actions start">
        <Button onPress={onForget}>{t('consent.forgetDone')}</Button>
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
  const { t } = useTranslator()
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
      <h2>{t('consent.codeTitle')}</h2>
      <p class="big-code" dir="ltr">
        {code}
      </p>
      <p>{t('consent.codeUse')}</p>
      {href && (
        <div class="actions start">
          {navigator.clipboard && <Button onPress={() => void copy(code)}>{t('consent.copy')}</Button>}
          <ButtonLink href={href}>{t('consent.toSignIn')}</ButtonLink>
        </div>
      )}
      <p role="status" class="note">
        {isCopied ? t('consent.copied') : ''}
      </p>
    </section>
  )
}

/** The form that follows. */
export function NextForm({ stage, onOpen }: { stage: Receipt['postConsentStage']; onOpen?: (url: string) => void }) {
  const { t } = useTranslator()
  if (!stage) return null
  const { name, label, url } = stage
  const text = label || t('consent.formOpen', { name })
  return (
    <section class="card next-form">
      <h2>{t('consent.formNext')}</h2>
      {url === null ? (
        <p>{t('consent.formLater', { name })}</p>
      ) : onOpen ? (
        <Button kind="main" onPress={() => onOpen(localPath(url))}>
          {text}
        </Button>
      ) : (
        <ButtonLink kind="main" href={localPath(url)}>
          {text}
        </ButtonLink>
      )}
    </section>
  )
}
