/** A person on their way through a consent: where they are, what they have entered, and what the server knows. */
import { useEffect, useLayoutEffect, useMemo, useState } from 'preact/hooks'
import { courseOf } from './course'
import { type Kept, keepConsent } from './kept'
import { codeOf, type Receipt, type Refused, requests, type Session, sentence } from './server'
import { useSpeaker } from './speaking'
import { nearest, newWork, type Step, stepsOf, type Work } from './steps'

/** Why somebody cannot go on. */
export type Left = 'ended' | 'disabled' | 'closed'

export type FlowProps = {
  token: string
  session: Session
  /** What the device kept. */
  kept?: Kept | undefined
  onLeft: (why: Left) => void
  onSigned: (receipt: Receipt) => void
  /** Begins again with the newest version; undefined where only the study team can. */
  onNewer?: (() => void) | undefined
}

/** How the session is called in the history of the browser. */
type Place = { step?: Step } | null

export function useFlow({ token, session: first, kept, onLeft, onSigned, onNewer }: FlowProps) {
  const speaker = useSpeaker()
  const { isInPerson } = first
  const path = `/consent-sessions/${token}`
  const [session, setSession] = useState(first)
  const [work, setWork] = useState<Work>(() => ({ ...newWork(first.sheet), ...kept?.work }))
  const [step, setStep] = useState(() => nearest(kept?.step, first, work))
  const [hasMoved, setMoved] = useState(false)
  const [notice, setNotice] = useState<string>()
  const course = useMemo(() => courseOf(path), [path])
  const ask = useMemo(() => requests(speaker, path), [speaker, path])
  const steps = stepsOf(session.sheet)

  useEffect(() => course.stop, [course])
  useEffect(() => {
    course.note({ type: 'page', page: step })
    scrollTo(0, 0)
  }, [step, course])
  // At once: the page may be closed at any moment.
  useLayoutEffect(() => {
    if (!isInPerson) keepConsent({ token, expiresAt: first.expiresAt, step, work })
  }, [step, work])
  // The buttons of the browser go from step to step. In person there is no history for whoever comes next.
  useEffect(() => {
    if (isInPerson) return undefined
    history.replaceState({ step }, '')
    const arrive = ({ state }: PopStateEvent) => {
      const place: Place = state
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
    ...{ session, work, step, steps, hasMoved, notice, course, ask, go, onSigned, onNewer },
    change: (part: Partial<Work>) => setWork((now) => ({ ...now, ...part })),
    /** Notes what the server knows now. */
    update: (part: Partial<Session>) => setSession((now) => ({ ...now, ...part })),
    next: () => go(steps[steps.indexOf(step) + 1] ?? 'review'),
    /** Undefined at the first step. */
    back: steps.indexOf(step) > 0 ? () => go(steps[steps.indexOf(step) - 1] ?? 'information') : undefined,
    /** Leaves the pages if nobody can go on, and says else what is wrong. */
    failed(failure: Refused): string {
      if (codeOf(failure) === 'closed') onLeft('closed')
      else if (failure.status === 404 && failure.isRefusal) onLeft('ended')
      else if (failure.status === 403 && failure.isRefusal) onLeft('disabled')
      return sentence(speaker, failure)
    },
    /** Reads the session anew, with what the server did not know yet. */
    async refresh(): Promise<Session | undefined> {
      await course.flush()
      const answer = await ask.read()
      if (!answer.isDone) return undefined
      setSession(answer.body)
      if (answer.body.consent) onSigned(answer.body.consent)
      return answer.body
    },
  }
}
export type Flow = ReturnType<typeof useFlow>
