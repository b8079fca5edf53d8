/** The page behind the link of a meeting: `/app/meeting/<token>`. */

import { useEffect, useState } from 'preact/hooks'
import { ask, type FailedAnswer } from '#web/kit/api/send'
import { noteAnswerLanguages } from '#web/kit/language/studyText'
import { Button, Skeleton } from '#web/kit/ui/components'
import { useTranslator as useLinkTranslator } from '#web/links/texts'
import { EndPage, LinkPage, ReadError } from '../frame'
import { type Call, type EndReason, openCall } from './call'
import { openDevices } from './devices'
import { Lobby } from './lobby'
import { deviceClock, type Meeting, token } from './meeting'
import { RoomPage } from './room'
import { useTranslator } from './texts'

/** The longest time that a timer of a browser takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1

export function MeetingPage() {
  const translator = useTranslator()
  const [devices] = useState(openDevices)
  const [meeting, setMeeting] = useState<Meeting>()
  const [failure, setFailure] = useState<FailedAnswer>()
  const [attempt, again] = useState(0)
  const [call, setCall] = useState<Call>()
  const [ending, setEnding] = useState<EndReason>()
  const read = async () => {
    const answer = await ask<Meeting>(translator, 'GET', `/meeting-links/${token}`)
    if (answer.isDone) noteAnswerLanguages(answer.body)
    return answer
  }
  useEffect(() => {
    setFailure(undefined)
    void read().then((answer) => (answer.isDone ? setMeeting(answer.body) : setFailure(answer)))
  }, [attempt])
  useEffect(() => devices.listen(), [])
  const shownEnding = call?.ending.value
  useEffect(() => {
    if (!shownEnding) return
    devices.stopAll()
    setCall(undefined)
    setEnding(shownEnding)
  }, [shownEnding])

  const join = () => {
    setEnding(undefined)
    const mayTryAgain = async () => {
      const answer = await read()
      const isEnded = !answer.isDone && [403, 404, 422].includes(answer.status)
      if (!isEnded) return true
      devices.stopAll()
      setCall(undefined)
      setFailure(answer)
      return false
    }
    setCall(openCall({ token, devices, mayTryAgain }))
  }

  if (failure) return <LinkFailure failure={failure} onAgain={() => again(attempt + 1)} />
  if (!meeting) return <Loading />
  if (ending) return <Ended ending={ending} meeting={meeting} onAgain={() => setEnding(undefined)} />
  if (call) return <RoomPage call={call} devices={devices} meeting={meeting} />
  return <Lobby devices={devices} meeting={meeting} onJoin={join} />
}

function Loading() {
  const { t } = useTranslator()
  return (
    <LinkPage title={t('meeting.title')}>
      <Skeleton lines={6} />
    </LinkPage>
  )
}

/** Why the link does not open the meeting now. */
function LinkFailure({ failure, onAgain }: { failure: FailedAnswer; onAgain: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const { code, validFrom, feature } = failure.details
  const opensAt = code === 'notYet' && typeof validFrom === 'string' ? Date.parse(validFrom) : undefined
  useEffect(() => {
    if (opensAt === undefined) return
    // A little later: the clocks of the device and of the server are not the same.
    const wait = Math.min(LONGEST, Math.max(5_000, opensAt - Date.now() + 1_000))
    const timer = setTimeout(onAgain, wait)
    return () => clearTimeout(timer)
  }, [opensAt, onAgain])
  if (opensAt !== undefined) {
    const { day, time } = deviceClock(translator)
    const note = t('meeting.notYetNote', { day: day(opensAt), time: time(opensAt) })
    return (
      <EndPage title={t('meeting.notYet')} note={note}>
        <Button onPress={onAgain}>{t('meeting.tryAgain')}</Button>
      </EndPage>
    )
  }
  if (code === 'over') return <EndPage title={t('meeting.over')} note={t('meeting.overNote')} />
  if (code === 'cancelled') return <EndPage title={t('meeting.cancelled')} note={t('meeting.cancelledNote')} />
  if (feature !== undefined) return <EndPage title={t('meeting.off')} note={t('meeting.offNote')} />
  return <ReadError failure={failure} onAgain={onAgain} />
}

/** The call is over for this page: why, and what can be done. */
function Ended({ ending, meeting, onAgain }: { ending: EndReason; meeting: Meeting; onAgain: () => void }) {
  const { t } = useTranslator()
  const ofLinks = useLinkTranslator()
  const texts: Record<EndReason, readonly [title: string, note: string, again?: string]> = {
    left: [t('meeting.left'), t('meeting.leftNote'), t('meeting.again')],
    lost: [t('meeting.left'), t('meeting.leftNote'), t('meeting.again')],
    stopped: [t('meeting.left'), t('meeting.leftNote'), t('meeting.again')],
    declined: [t('meeting.declined'), t('meeting.declinedNote'), t('meeting.again')],
    removed: [t('meeting.removed'), t('meeting.removedNote'), t('meeting.again')],
    ended: [t('meeting.ended'), t('meeting.endedNote'), t('meeting.again')],
    over: [t('meeting.over'), t('meeting.overNote')],
    cancelled: [t('meeting.cancelled'), t('meeting.cancelledNote')],
    link: [ofLinks.t('link.ended'), ofLinks.t('link.endedNote')],
    full: [t('meeting.full'), t('meeting.fullNote'), t('meeting.again')],
    elsewhere: [t('meeting.elsewhere'), t('meeting.elsewhereNote'), t('meeting.here')],
    tooMany: [t('meeting.tooMany'), t('meeting.tooManyNote'), t('meeting.again')],
  }
  const [title, note, again] = texts[ending]
  return (
    <EndPage title={title} note={note} overline={ofLinks.t('link.study', { study: meeting.trialName })}>
      {again && (
        <Button kind="main" onPress={onAgain}>
          {again}
        </Button>
      )}
    </EndPage>
  )
}
