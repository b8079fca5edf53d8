/** A person on their way through a consent: where they are, what they have entered, and what the server knows. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { createActivityLog } from './activityLog'
import { codeOf, type FailedAnswer, failureText, type Receipt, requests, type Session } from './requests'
import { type SavedConsent, saveConsent } from './savedConsent'
import { type ConsentInput, emptyInput, reachableStep, type Step, stepsOf } from './steps'
import { useTranslator } from './translator'

/** Why somebody cannot go on. */
export type LeaveReason = 'ended' | 'disabled' | 'closed'

export type FlowProps = {
  token: string
  session: Session
  /** What the device kept. */
  saved?: SavedConsent | undefined
  onLeft: (why: LeaveReason) => void
  onSigned: (receipt: Receipt) => void
  /** Begins again with the newest version; undefined where only the study team can. */
  onNewer?: (() => void) | undefined
}

/** How the session is called in the history of the browser. */
type HistoryState = { step?: Step } | null

export function useFlow({ token, session: first, saved, onLeft, onSigned, onNewer }: FlowProps) {
  const translator = useTranslator()
  const { isInPerson } = first
  const path = `/consent-sessions/${token}`
  const [session, setSession] = useState(first)
  const [work, setWork] = useState<ConsentInput>(() => ({ ...emptyInput(first.sheet), ...saved?.work }))
  const [step, setStep] = useState(() => reachableStep(saved?.step, first, work))
  const [hasMoved, setMoved] = useState(false)
  const [notice, setNotice] = useState<string>()
  const activity = useMemo(() => createActivityLog(path), [path])
  const ask = useMemo(() => requests(translator, path), [translator, path])
  const steps = stepsOf(session.sheet)

  useEffect(() => activity.stop, [activity])
  useEffect(() => {
    activity.note({ type: 'page', page: step })
    scrollTo(0, 0)
  }, [step, activity])
  // At once: the page may be closed at any moment.
  useLayoutEffect(() => {
    if (!isInPerson) saveConsent({ token, expiresAt: first.expiresAt, step, work })
  }, [step, work])
  // The buttons of the browser go from step to step. In person there is no history, which the next person could open.
  useEffect(() => {
    if (isInPerson) return undefined
    history.replaceState({ step }, '')
    const arrive = ({ state }: PopStateEvent) => {
      const place: HistoryState = state
      if (place?.step) show(place.step)
    }
    addEventListener('popstate', arrive)
    return () => removeEventListener('popstate', arrive)
  }, [])

  function show(to: Step, why?: string): void {
    setMoved(true)
    setNotice(why)
    setStep(to)
  }
  /** @param why it is shown there */
  function go(to: Step, why?: string): void {
    if (!isInPerson && to !== step) history.pushState({ step: to }, '')
    show(to, why)
  }
  return {
    ...{ session, work, step, steps, hasMoved, notice, course: activity, ask, go, onSigned, onNewer },
    change: (part: Partial<ConsentInput>) => setWork((now) => ({ ...now, ...part })),
    /** Notes what the server knows now. */
    update: (part: Partial<Session>) => setSession((now) => ({ ...now, ...part })),
    next: () => go(steps[steps.indexOf(step) + 1] ?? 'review'),
    /** Undefined at the first step. */
    back: steps.indexOf(step) > 0 ? () => go(steps[steps.indexOf(step) - 1] ?? 'information') : undefined,
    /** Leaves the pages if the person cannot go on; otherwise returns the text of the problem. */
    handleFailure(failure: FailedAnswer): string {
      if (codeOf(failure) === 'closed') onLeft('closed')
      else if (failure.status === 404 && failure.isRefusal) onLeft('ended')
      else if (failure.status === 403 && failure.isRefusal) onLeft('disabled')
      return failureText(translator, failure)
    },
    /** Reads the session anew, with what the server did not know yet. */
    async refresh(): Promise<Session | undefined> {
      await activity.flush()
      const answer = await ask.read()
      if (!answer.isDone) return undefined
      setSession(answer.body)
      if (answer.body.consent) onSigned(answer.body.consent)
      return answer.body
    },
  }
}
export type Flow = ReturnType<typeof useFlow>
