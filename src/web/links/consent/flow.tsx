/** The pages from the sheet to the signature. */
import type { ComponentType } from 'preact'
import { Notice, Progress } from '#web/kit/ui/components'
import { LinkPage } from '../frame'
import { Contact } from './contact'
import { Eligibility } from './eligibility'
import { Information } from './information'
import { Photo } from './photo'
import { Questions } from './questions'
import { Review } from './review'
import { Signature } from './signature'
import { Statements } from './statements'
import type { Step } from './steps'
import { titlesOf } from './titles'
import { useTranslator } from './translator'
import { type Flow, type FlowProps, useFlow } from './useFlow'

const pages: Record<Step, ComponentType<{ flow: Flow }>> = {
  information: Information,
  questions: Questions,
  eligibility: Eligibility,
  statements: Statements,
  contact: Contact,
  photo: Photo,
  signature: Signature,
  review: Review,
}

type Props = FlowProps & {
  /** Removes what was entered from this device; undefined where nothing was kept. */
  onForget?: (() => void) | undefined
  /** In person: ends without a signature. */
  onStop?: (() => void) | undefined
}

export function ConsentSteps({ onForget, onStop, ...props }: Props) {
  const translator = useTranslator()
  const { t } = translator
  const flow = useFlow(props)
  const { session, step, steps, hasMoved, notice } = flow
  const { sheet, participantId } = session
  const Page = pages[step]
  const place = { step: steps.indexOf(step) + 1, steps: steps.length }
  return (
    <LinkPage
      key={step}
      title={titlesOf(translator)[step]}
      overline={[t('link.study', { study: sheet.trialName }), participantId && t('consent.for', { id: participantId })]
        .filter(Boolean)
        .join(' · ')}
      isNext={hasMoved || !onForget}
    >
      <Progress label={t('consent.step', place)} share={place.step / place.steps} />
      {notice && <Notice kind="warning" title={notice} isLive />}
      {onForget && !hasMoved && (
        <Notice kind="info" title={t('consent.resumed')}>
          <p>{t('consent.resumedNote')}</p>
          <button type="button" class="plain" onClick={onForget}>
            {t('consent.forget')}
          </button>
        </Notice>
      )}
      <Page flow={flow} />
      {onStop && (
        <p class="consent-stop">
          <button type="button" class="plain" onClick={onStop}>
            {t('consent.stop')}
          </button>
        </p>
      )}
    </LinkPage>
  )
}
