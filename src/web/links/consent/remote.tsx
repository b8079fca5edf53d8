/** The page of a consent form: `/app/consent/<trialCode>/<formKey>`. */
import { useEffect, useState } from 'preact/hooks'
import { ownHeaders } from '#web/kit/api/ownCredential'
import { ask } from '#web/kit/api/send'
import { Skeleton } from '#web/kit/ui/components'
import { EndPage, LinkPage, ReadError } from '../frame'
import { Done } from './done'
import { EndedConsent, WithdrawLink } from './endedConsent'
import { ConsentSteps } from './flow'
import {
  codeOf,
  type FailedAnswer,
  failureText,
  linkPath,
  type Receipt,
  readSheet,
  requests,
  type Session,
  type Sheet,
} from './requests'
import { forgetConsent, readSavedConsent, removeEndedConsents, type SavedConsent, saveConsent } from './savedConsent'
import { useTranslator } from './translator'
import type { LeaveReason } from './useFlow'
import { Welcome } from './welcome'

type State =
  | { at: 'loading' }
  | { at: 'failed'; failure: FailedAnswer }
  | { at: 'welcome'; sheet: Sheet; isRestarted: boolean; isNext: boolean }
  | { at: 'flow'; saved: SavedConsent; session: Session; isResumed: boolean }
  | { at: 'done'; saved: SavedConsent; sheet: Sheet; receipt: Receipt }
  | { at: 'left'; why: LeaveReason }

export function Remote() {
  const translator = useTranslator()
  const { t } = translator
  const [state, setState] = useState<State>({ at: 'loading' })
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()

  const leave = (why: LeaveReason) => {
    if (why === 'ended') forgetConsent()
    setState({ at: 'left', why })
  }
  /** Shows why something cannot be read: with what to do where the study is closed or does not use it. */
  function fail(failure: FailedAnswer): void {
    if (failure.status === 403 && failure.isRefusal) leave('disabled')
    else setState({ at: 'failed', failure })
  }
  async function open(isRestarted: boolean, isNext: boolean): Promise<void> {
    const answer = await readSheet(translator)
    if (!answer.isDone) return fail(answer)
    if (answer.body.isClosed) return leave('closed')
    setState({ at: 'welcome', sheet: answer.body, isRestarted, isNext })
  }
  /** Goes on where the person stopped; else shows the first page. */
  async function load(): Promise<void> {
    removeEndedConsents()
    const saved = readSavedConsent()
    if (!saved) return open(false, false)
    const answer = await requests(translator, `/consent-sessions/${saved.token}`).read()
    if (answer.isDone) return resume(saved, answer.body, true)
    if (answer.status !== 404) return fail(answer)
    forgetConsent()
    return open(true, false)
  }
  function resume(saved: SavedConsent, session: Session, isResumed: boolean): void {
    const { consent: receipt, sheet } = session
    if (receipt) setState({ at: 'done', saved, sheet, receipt })
    else if (sheet.isClosed) leave('closed')
    else setState({ at: 'flow', saved, session, isResumed })
  }
  async function begin(): Promise<void> {
    if (isBusy) return
    setBusy(true)
    setProblem(undefined)
    const headers = await ownHeaders()
    const started = await ask<SavedConsent>(translator, 'POST', `${linkPath()}/sessions`, { body: {}, headers })
    if (!started.isDone) {
      setBusy(false)
      return codeOf(started) === 'closed' ? leave('closed') : setProblem(failureText(translator, started))
    }
    const answer = await requests(translator, `/consent-sessions/${started.body.token}`).read()
    setBusy(false)
    if (!answer.isDone) return setProblem(failureText(translator, answer))
    saveConsent(started.body)
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
        <LinkPage title={t('site.loading')}>
          <Skeleton lines={6} />
        </LinkPage>
      )
    case 'failed':
      if (state.failure.status === 404)
        return <EndPage icon="warning" title={t('consent.gone')} note={t('consent.goneNote')} />
      return <ReadError failure={state.failure} onAgain={() => void load()} />
    case 'left':
      return <EndedConsent why={state.why} onAgain={again} />
    case 'welcome':
      return (
        <Welcome {...state} isBusy={isBusy} problem={problem} onBegin={() => void begin()}>
          <WithdrawLink />
        </Welcome>
      )
    case 'flow': {
      const { saved, session, isResumed } = state
      return (
        <ConsentSteps
          key={saved.token}
          {...{ token: saved.token, session, saved }}
          onLeft={leave}
          onSigned={(receipt) => {
            // What was entered is not kept any more; the token is, so that the page shows the document again.
            saveConsent({ token: saved.token, expiresAt: saved.expiresAt })
            history.replaceState(null, '')
            setState({ at: 'done', saved, sheet: session.sheet, receipt })
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
