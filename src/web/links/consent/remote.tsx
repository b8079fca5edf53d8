/** The page of a consent form: `/app/consent/<trialCode>/<formKey>`. */
import { useEffect, useState } from 'preact/hooks'
import { ask } from '#web/common/api'
import { Skeleton } from '#web/ui/components'
import { EndPage, LinkPage, NotRead } from '../frame'
import { Done } from './done'
import { Ended, WithdrawLink } from './ended'
import { Consenting } from './flow'
import { forgetConsent, forgetEnded, type Kept, keepConsent, keptConsent } from './kept'
import { ownHeaders } from './ownHeaders'
import {
  codeOf,
  linkPath,
  type Receipt,
  type Refused,
  readSheet,
  requests,
  type Session,
  type Sheet,
  sentence,
} from './server'
import { useSpeaker } from './speaking'
import type { Left } from './useFlow'
import { Welcome } from './welcome'

type State =
  | { at: 'loading' }
  | { at: 'failed'; failure: Refused }
  | { at: 'welcome'; sheet: Sheet; isRestarted: boolean; isNext: boolean }
  | { at: 'flow'; kept: Kept; session: Session; isResumed: boolean }
  | { at: 'done'; kept: Kept; sheet: Sheet; receipt: Receipt }
  | { at: 'left'; why: Left }

export function Remote() {
  const speaker = useSpeaker()
  const { say } = speaker
  const [state, setState] = useState<State>({ at: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const leave = (why: Left) => {
    if (why === 'ended') forgetConsent()
    setState({ at: 'left', why })
  }
  /** Shows why something cannot be read: with what to do where the study is closed or does not use it. */
  function fail(failure: Refused): void {
    if (failure.status === 403 && failure.isRefusal) leave('disabled')
    else setState({ at: 'failed', failure })
  }
  async function open(isRestarted: boolean, isNext: boolean): Promise<void> {
    const answer = await readSheet(speaker)
    if (!answer.isDone) return fail(answer)
    if (answer.body.isClosed) return leave('closed')
    setState({ at: 'welcome', sheet: answer.body, isRestarted, isNext })
  }
  /** Goes on where the person stopped; else shows the first page. */
  async function load(): Promise<void> {
    forgetEnded()
    const kept = keptConsent()
    if (!kept) return open(false, false)
    const answer = await requests(speaker, `/consent-sessions/${kept.token}`).read()
    if (answer.isDone) return resume(kept, answer.body, true)
    if (answer.status !== 404) return fail(answer)
    forgetConsent()
    return open(true, false)
  }
  function resume(kept: Kept, session: Session, isResumed: boolean): void {
    const { consent: receipt, sheet } = session
    if (receipt) setState({ at: 'done', kept, sheet, receipt })
    else if (sheet.isClosed) leave('closed')
    else setState({ at: 'flow', kept, session, isResumed })
  }
  async function begin(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    const headers = await ownHeaders()
    const started = await ask<Kept>(speaker, 'POST', `${linkPath()}/sessions`, { body: {}, headers })
    if (!started.isDone) {
      setBusy(false)
      return codeOf(started) === 'closed' ? leave('closed') : setProblem(sentence(speaker, started))
    }
    const answer = await requests(speaker, `/consent-sessions/${started.body.token}`).read()
    setBusy(false)
    if (!answer.isDone) return setProblem(sentence(speaker, answer))
    keepConsent(started.body)
    resume(started.body, answer.body, false)
  }
  function again(): void {
    forgetConsent()
    history.replaceState(null, '')
    setState({ at: 'loading' })
    void open(false, true)
  }
  useEffect(() => void load(), [])

  switch (state.at) {
    case 'loading':
      return (
        <LinkPage title={say('site.loading')}>
          <Skeleton lines={6} />
        </LinkPage>
      )
    case 'failed':
      if (state.failure.status === 404)
        return <EndPage icon="warning" title={say('consent.gone')} note={say('consent.goneNote')} />
      return <NotRead failure={state.failure} onAgain={() => void load()} />
    case 'left':
      return <Ended why={state.why} onAgain={again} />
    case 'welcome':
      return (
        <Welcome {...state} isBusy={isBusy} problem={problem} onBegin={() => void begin()}>
          <WithdrawLink />
        </Welcome>
      )
    case 'flow': {
      const { kept, session, isResumed } = state
      return (
        <Consenting
          key={kept.token}
          {...{ token: kept.token, session, kept }}
          onLeft={leave}
          onSigned={(receipt) => {
            // What was entered is not kept any more; the token is, so that the page shows the document again.
            keepConsent({ token: kept.token, expiresAt: kept.expiresAt })
            history.replaceState(null, '')
            setState({ at: 'done', kept, sheet: session.sheet, receipt })
          }}
          onNewer={again}
          onForget={isResumed ? again : undefined}
        />
      )
    }
    case 'done':
      return <Done {...state} onForget={again} />
  }
}
