/** Everything that one signs, and the signature. */

import type { ComponentChildren } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Button, Icon, Notice } from '#web/ui/components'
import { StudyText } from '#web/ui/studyText'
import { pngOf } from './ink'
import { codeOf, type Refused } from './server'
import { Script } from './signature'
import { useSpeaker } from './speaking'
import { StepActions } from './stepActions'
import { missingStep, type Step, signedBody } from './steps'
import { methodNames, titlesOf } from './titles'
import type { Flow } from './useFlow'

/** Milliseconds until each next try after the connection was lost. */
const PAUSES = [1_000, 2_000, 4_000]
const wait = (pause: number) => new Promise((resolve) => setTimeout(resolve, pause))

/** Whether the server may have stored the consent, or may store it with the next try. */
const isUndecided = ({ status, isRefusal }: Refused): boolean => !isRefusal || status >= 500

/** The step of a field that the server does not take. */
const stepOf: Readonly<Record<string, Step>> = {
  eligibilityConfirmed: 'eligibility',
  confirmations: 'statements',
  initials: 'statements',
  fullName: 'signature',
  signature: 'signature',
}

type State = 'ready' | 'sending' | 'again' | 'lost'

function useSigning({ session, work, ask, course, refresh, update, go, failed, onSigned }: Flow) {
  const { say } = useSpeaker()
  const [state, setState] = useState<State>('ready')
  const isSigning = useRef(false)
  const [problem, setProblem] = useState<string>()

  /** Leads to what the server misses. */
  async function mend(failure: Refused): Promise<void> {
    const code = codeOf(failure)
    const [field] = Object.keys(failure.fields)
    const step = stepOf[field?.split('.')[0] ?? '']
    if (step) return go(step, say('consent.missing'))
    if (code === 'photo') {
      update({ hasPhoto: false })
      return go('photo', say('consent.photoBad'))
    }
    const now = code === 'stepsLeft' ? await refresh() : undefined
    const missing = now && missingStep(now, work)
    if (missing) go(missing, say('consent.missing'))
    else setProblem(failed(failure))
  }
  async function sign(): Promise<void> {
    if (isSigning.current) return
    isSigning.current = true
    await send()
    isSigning.current = false
  }
  async function send(): Promise<void> {
    const missing = missingStep(session, work)
    if (missing) return go(missing, say('consent.missing'))
    setProblem(undefined)
    setState('sending')
    const body = signedBody(session.sheet, work, work.way === 'drawn' ? pngOf(work.strokes) : undefined)
    for (const pause of [...PAUSES, undefined]) {
      await course.flush()
      const answer = await ask.sign(body)
      if (answer.isDone) return onSigned(answer.body)
      if (!isUndecided(answer)) {
        setState('ready')
        return mend(answer)
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
  const { say } = useSpeaker()
  const { state, problem, sign } = useSigning(flow)
  const isBusy = state === 'sending' || state === 'again'
  // A newer version may have been published while the person read.
  useEffect(() => void flow.refresh(), [])
  function submit(event: Event): void {
    event.preventDefault()
    void sign()
  }
  return (
    <form noValidate onSubmit={submit}>
      <p class="lead">{say('consent.reviewLead')}</p>
      <Newer flow={flow} />
      <Parts flow={flow} />
      <p class="declare">{say('consent.declare')}</p>
      {state === 'again' && <Notice kind="info" title={say('consent.signing')} isLive />}
      {state === 'lost' && (
        <Notice kind="warning" title={say('consent.notSigned')} isLive>
          {say('consent.notSignedNote')}
        </Notice>
      )}
      {problem && <Notice kind="fault" title={problem} isLive />}
      <StepActions
        flow={isBusy ? { back: undefined } : flow}
        label={say(state === 'lost' ? 'consent.again' : 'consent.sign')}
        isBusy={isBusy}
      />
    </form>
  )
}

/** A newer version was published while the person read. */
function Newer({ flow: { session, onNewer } }: { flow: Flow }) {
  const { say } = useSpeaker()
  const { newestVersion: newest, sheet, isInPerson } = session
  const { version } = sheet
  if (newest <= version) return null
  return (
    <Notice kind="warning" title={say('consent.newer')}>
      <p>{say(isInPerson ? 'consent.newerInPerson' : 'consent.newerNote', { version, newest })}</p>
      {onNewer && (
        <div class="actions start">
          <Button onPress={onNewer}>{say('consent.readNewer')}</Button>
        </div>
      )}
    </Notice>
  )
}

/** What one does with a step again: for the eye, and for screen readers. */
const again = (step: Step) =>
  step === 'information'
    ? (['consent.readAgain', 'consent.readAgainOf'] as const)
    : (['consent.change', 'consent.changeOf'] as const)

function Parts({ flow }: { flow: Flow }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const { session, work, steps } = flow
  const { sheet, verifications } = session
  const names = methodNames(speaker)
  const verified = verifications.filter(({ verifiedAt }) => verifiedAt !== null)
  const drawing = work.way === 'drawn' ? pngOf(work.strokes, 600) : undefined
  const content: Record<Exclude<Step, 'review'>, ComponentChildren> = {
    information: <p>{say('consent.youRead', { version: sheet.version })}</p>,
    questions: <p>{say('consent.youAnswered')}</p>,
    eligibility: <p>{say('consent.youAreEligible')}</p>,
    statements: (
      <ul class="agreed">
        {sheet.conditions.map(({ id, title, requiresInitials }) => (
          <li key={id} class={work.confirmations[id] ? 'yes' : 'no'}>
            <Icon name={work.confirmations[id] ? 'check' : 'close'} />
            <span>
              <strong>{say(work.confirmations[id] ? 'consent.agreed' : 'consent.declined')}:</strong>{' '}
              <StudyText text={title} />
              {requiresInitials && work.confirmations[id] && (
                <span class="note initials">{say('consent.initialsAre', { initials: work.initials[id] ?? '' })}</span>
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
      <p>{say('consent.noContact')}</p>
    ),
    photo: <p>{say('consent.photoThere')}</p>,
    signature: (
      <>
        <p>
          {say('consent.fullName')}: <bdi class="strong">{work.fullName}</bdi>
        </p>
        {work.way === 'typed' && <Script name={work.typedName} />}
        {drawing && <img class="signature" src={`data:image/png;base64,${drawing}`} alt={say('consent.drawnShown')} />}
      </>
    ),
  }
  const titles = titlesOf(speaker)
  return (
    <>
      {steps.map(
        (step) =>
          step !== 'review' && (
            <section class="card review-part" key={step}>
              <div class="review-head">
                <h2>{titles[step]}</h2>
                {step !== 'questions' && (
                  <Button label={say(again(step)[1], { part: titles[step] })} onPress={() => flow.go(step)}>
                    {say(again(step)[0])}
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
