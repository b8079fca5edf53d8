/**
 * A consent in person, on a device of the study team: `/app/consent-session/<token>`. Nothing is kept on the device, and the address shows
 * nothing any more once the device is handed back.
 */
import { useEffect, useRef, useState } from 'preact/hooks'
import { Dialog, Skeleton } from '#web/kit/ui/components'
import { EndPage, LinkPage, ReadError } from '../frame'
import { createActivityLog } from './activityLog'
import { EndedConsent } from './endedConsent'
import { ConsentSteps } from './flow'
import { HandBack } from './handBack'
import { type FailedAnswer, type Receipt, requests, type Session } from './requests'
import { useTranslator } from './translator'
import type { LeaveReason } from './useFlow'
import { useIdle } from './useIdle'
import { Welcome } from './welcome'

type State =
  | { at: 'loading' }
  | { at: 'failed'; failure: FailedAnswer }
  | { at: 'welcome' | 'flow'; session: Session }
  | { at: 'before' }
  | { at: 'done'; session: Session; receipt: Receipt }
  | { at: 'left'; why: LeaveReason }
  | { at: 'back'; isSigned: boolean }

/** Milliseconds until a page that nobody touches ends by itself: half an hour to read, five minutes after the signature. */
const [READING_TIMEOUT, SIGNED_TIMEOUT] = [30 * 60_000, 5 * 60_000]
/** Milliseconds after the signature in which the page still shows the document. */
const RELOAD_TIME = 5 * 60_000

/** Leaves no token in the address of the page, and nothing to go back to. */
const hideToken = () => history.replaceState(null, '', '/app/consent-session/over')

export function InPerson() {
  const translator = useTranslator()
  const { t } = translator
  const [state, setState] = useState<State>({ at: 'loading' })
  const [isStopping, setStopping] = useState(false)
  const token = useRef(location.pathname.split('/').at(-1) ?? '').current
  const path = `/consent-sessions/${token}`

  async function load(): Promise<void> {
    const answer = await requests(translator, path).read()
    if (answer.isDone) {
      const { body } = answer
      if (body.consent) return showSigned(body, body.consent)
      setState(body.sheet.isClosed ? { at: 'left', why: 'closed' } : { at: 'welcome', session: body })
    } else if (answer.isRefusal && [404, 422].includes(answer.status)) setState({ at: 'left', why: 'ended' })
    else if (answer.isRefusal && answer.status === 403) setState({ at: 'left', why: 'disabled' })
    else setState({ at: 'failed', failure: answer })
  }
  /** Loaded again at once, the page goes on; later, it shows nothing of the person any more. */
  function showSigned(session: Session, receipt: Receipt): void {
    const isNow = Date.now() - Date.parse(receipt.createdAt) < RELOAD_TIME
    if (!isNow) void end(true)
    setState(isNow ? { at: 'done', session, receipt } : { at: 'before' })
  }
  /** Ends the session on the server, so that it cannot be opened again from the history of the browser. */
  async function end(isSigned: boolean, to?: string): Promise<void> {
    hideToken()
    setState({ at: 'back', isSigned })
    const activity = createActivityLog(path)
    activity.note({ type: 'ended' })
    await activity.flush()
    if (to) location.replace(to)
  }
  const isOpen = state.at === 'welcome' || state.at === 'flow'
  useIdle(
    isOpen ? READING_TIMEOUT : state.at === 'done' ? SIGNED_TIMEOUT : undefined,
    () => void end(state.at === 'done'),
  )
  useEffect(() => void load(), [])
  useEffect(() => {
    // A page that the browser had put aside shows nothing of the person before.
    const shown = ({ persisted }: PageTransitionEvent) => persisted && location.reload()
    addEventListener('pageshow', shown)
    return () => removeEventListener('pageshow', shown)
  }, [])

  switch (state.at) {
    case 'loading':
      return (
        <LinkPage title={t('site.loading')}>
          <Skeleton lines={6} />
        </LinkPage>
      )
    case 'failed':
      return <ReadError failure={state.failure} onAgain={() => void load()} />
    case 'left':
      return <EndedConsent why={state.why} />
    case 'before':
      return <EndPage icon="success" title={t('consent.signedBefore')} note={t('consent.signedBeforeNote')} />
    case 'back': {
      const { isSigned } = state
      const title = t(isSigned ? 'consent.handedBack' : 'consent.stopped')
      const note = t(isSigned ? 'consent.handedBackNote' : 'consent.stoppedNote')
      return <EndPage icon={isSigned ? 'success' : 'info'} title={title} note={note} />
    }
    case 'done':
      return <HandBack {...state} onEnd={(to) => void end(true, to)} />
    case 'welcome': {
      const { session } = state
      return (
        <Welcome
          sheet={session.sheet}
          participantId={session.participantId}
          isBusy={false}
          onBegin={() => setState({ at: 'flow', session })}
        />
      )
    }
    case 'flow': {
      const { session } = state
      return (
        <>
          <ConsentSteps
            {...{ token, session }}
            onLeft={(why) => setState({ at: 'left', why })}
            onSigned={(receipt) => setState({ at: 'done', session, receipt })}
            onStop={() => setStopping(true)}
          />
          {isStopping && (
            <Dialog
              title={t('consent.stopTitle')}
              action={{ label: t('consent.stop'), kind: 'danger', onPress: () => void end(false) }}
              onClose={() => setStopping(false)}
            >
              <p>{t('consent.stopNote')}</p>
            </Dialog>
          )}
        </>
      )
    }
  }
}
