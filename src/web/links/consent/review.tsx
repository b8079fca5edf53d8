/** Everything that one signs, and the signature. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, Icon, Notice } from '#web/kit/ui/components'
import { StudyText } from '#web/kit/ui/studyText'
import { codeOf, type FailedAnswer } from './requests'
import { Script } from './signature'
import { StepActions } from './stepActions'
import { consentBody, missingStep, type Step } from './steps'
import { pngOf } from './strokes'
import { methodNames, titlesOf } from './titles'
import { useTranslator } from './translator'
import type { Flow } from './useFlow'

/** Milliseconds until each next try after the connection was lost. */
const PAUSES = [1_000, 2_000, 4_000]
const wait = (pause: number) => new Promise((resolve) => setTimeout(resolve, pause))

/** Whether the server may have stored the consent, or may store it with the next try. */
const isUndecided = ({ status, isRefusal }: FailedAnswer): boolean => !isRefusal || status >= 500

/** The step of a field that the server does not take. */
const stepOf: Readonly<Record<string, Step>> = {
  eligibilityConfirmed: 'eligibility',
  confirmations: 'statements',
  initials: 'statements',
  fullName: 'signature',
  signature: 'signature',
}

type State = 'ready' | 'sending' | 'again' | 'lost'

function useSignature({ session, work, ask, course: activity, refresh, update, go, handleFailure, onSigned }: Flow) {
  const { t } = useTranslator()
  const [state, setState] = useState<State>('ready')
  const isSigning = useRef(false)
  const [problem, setProblem] = useState<string>()

  /** Leads to what the server misses. */
  async function goToMissing(failure: FailedAnswer): Promise<void> {
    const code = codeOf(failure)
    const [field] = Object.keys(failure.fields)
    const step = stepOf[field?.split('.')[0] ?? '']
    if (step) return go(step, t('consent.missing'))
    if (code === 'photo') {
      update({ hasPhoto: false })
      return go('photo', t('consent.photoBad'))
    }
    const now = code === 'stepsLeft' ? await refresh() : undefined
    const missing = now && missingStep(now, work)
    if (missing) go(missing, t('consent.missing'))
    else setProblem(handleFailure(failure))
  }
  async function sign(): Promise<void> {
    if (isSigning.current) return
    isSigning.current = true
    await send()
    isSigning.current = false
  }
  async function send(): Promise<void> {
    const missing = missingStep(session, work)
    if (missing) return go(missing, t('consent.missing'))
    setProblem(undefined)
    setState('sending')
    const body = consentBody(session.sheet, work, work.way === 'drawn' ? pngOf(work.strokes) : undefined)
    for (const pause of [...PAUSES, undefined]) {
      await activity.flush()
      const answer = await ask.sign(body)
      if (answer.isDone) return onSigned(answer.body)
      if (!isUndecided(answer)) {
        setState('ready')
        return goToMissing(answer)
      }
      if (pause === undefined) break
      setState('again')
      await wait(pause)
    }
    setState('lost')
  }
  return { state, problem, sign }
}

export function Review({ flow }: { flow: Flow }) {
  const { t } = useTranslator()
  const { state, problem, sign } = useSignature(flow)
  const isBusy = state === 'sending' || state === 'again'
  // A newer version may have been published while the person read.
  useEffect(() => void flow.refresh(), [])
  function submit(event: Event): void {
    event.preventDefault()
    void sign()
  }
  return (
    <form noValidate onSubmit={submit}>
      <p class="lead">{t('consent.reviewLead')}</p>
      <NewerVersion flow={flow} />
      <ReviewParts flow={flow} />
      <p class="declare">{t('consent.declare')}</p>
      {state === 'again' && <Notice kind="info" title={t('consent.signing')} isLive />}
      {state === 'lost' && (
        <Notice kind="warning" title={t('consent.notSigned')} isLive>
          {t('consent.notSignedNote')}
        </Notice>
      )}
      {problem && <Notice kind="fault" title={problem} isLive />}
      <StepActions
        flow={isBusy ? { back: undefined } : flow}
        label={t(state === 'lost' ? 'consent.again' : 'consent.sign')}
        isBusy={isBusy}
      />
    </form>
  )
}

/** A newer version was published while the person read. */
function NewerVersion({ flow: { session, onNewer } }: { flow: Flow }) {
  const { t } = useTranslator()
  const { newestVersion: newest, sheet, isInPerson } = session
  const { version } = sheet
  if (newest <= version) return null
  return (
    <Notice kind="warning" title={t('consent.newer')}>
      <p>{t(isInPerson ? 'consent.newerInPerson' : 'consent.newerNote', { version, newest })}</p>
      {onNewer && (
        <div class="actions start">
          <Button onPress={onNewer}>{t('consent.readNewer')}</Button>
        </div>
      )}
    </Notice>
  )
}

/** What one does with a step again: for the eye, and for screen readers. */
const changeLabels = (step: Step) =>
  step === 'information'
    ? (['consent.readAgain', 'consent.readAgainOf'] as const)
    : (['consent.change', 'consent.changeOf'] as const)

function ReviewParts({ flow }: { flow: Flow }) {
  const translator = useTranslator()
  const { t } = translator
  const { session, work, steps } = flow
  const { sheet, verifications } = session
  const names = methodNames(translator)
  const verified = verifications.filter(({ verifiedAt }) => verifiedAt !== null)
  const drawing = work.way === 'drawn' ? pngOf(work.strokes, 600) : undefined
  const content: Record<Exclude<Step, 'review'>, ComponentChildren> = {
    information: <p>{t('consent.youRead', { version: sheet.version })}</p>,
    questions: <p>{t('consent.youAnswered')}</p>,
    eligibility: <p>{t('consent.youAreEligible')}</p>,
    statements: (
      <ul class="agreed">
        {sheet.conditions.map(({ id, title, requiresInitials }) => (
          <li key={id} class={work.confirmations[id] ? 'yes' : 'no'}>
            <Icon name={work.confirmations[id] ? 'check' : 'close'} />
            <span>
              <strong>{t(work.confirmations[id] ? 'consent.agreed' : 'consent.declined')}:</strong>{' '}
              <StudyText text={title} />
              {requiresInitials && work.confirmations[id] && (
                <span class="note initials">{t('consent.initialsAre', { initials: work.initials[id] ?? '' })}</span>
              )}
            </span>
          </li>
        ))}
      </ul>
    ),
    contact: verified.length ? (
      verified.map(({ method, address }) => (
        <p key={method}>
          {names[method]} · <bdi>{address}</bdi>
        </p>
      ))
    ) : (
      <p>{t('consent.noContact')}</p>
    ),
    photo: <p>{t('consent.photoThere')}</p>,
    signature: (
      <>
        <p>
          {t('consent.fullName')}: <bdi class="strong">{work.fullName}</bdi>
        </p>
        {work.way === 'typed' && <Script name={work.typedName} />}
        {drawing && <img class="signature" src={`data:image/png;base64,${drawing}`} alt={t('consent.drawnShown')} />}
      </>
    ),
  }
  const titles = titlesOf(translator)
  return (
    <>
      {steps.map(
        (step) =>
          step !== 'review' && (
            <section class="card review-part" key={step}>
              <div class="review-head">
                <h2>{titles[step]}</h2>
                {step !== 'questions' && (
                  <Button label={t(changeLabels(step)[1], { part: titles[step] })} onPress={() => flow.go(step)}>
                    {t(changeLabels(step)[0])}
                  </Button>
                )}
              </div>
              {content[step]}
            </section>
          ),
      )}
    </>
  )
}
