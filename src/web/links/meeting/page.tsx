/** The page behind the link of a meeting: `/app/meeting/<token>`. */

import { useEffect, useState } from 'preact/hooks'
import { type Answer, ask } from '#web/common/api'
import { noteAnswer } from '#web/common/studyText'
import { Button, Skeleton } from '#web/ui/components'
import { EndPage, LinkPage, NotRead } from '../frame'
import { useSpeaker as useLinkSpeaker } from '../speaking'
import { type Call, type Ending, openCall } from './call'
import { openDevices } from './devices'
import { Lobby } from './lobby'
import { deviceClock, type Meeting, token } from './meeting'
import { RoomPage } from './room'
import { useSpeaker } from './speaking'

type Refused = Extract<Answer<never>, { isDone: false }>

/** The longest time that a timer of a browser takes, in milliseconds. */
const LONGEST = 2 ** 31 - 1

export function MeetingPage() {
  const speaker = useSpeaker()
  const [devices] = useState(openDevices)
  const [meeting, setMeeting] = useState<Meeting>()
  const [failure, setFailure] = useState<Refused>()
  const [attempt, again] = useState(0)
  const [call, setCall] = useState<Call>()
  const [ending, setEnding] = useState<Ending>()
  const read = async () => {
    const answer = await ask<Meeting>(speaker, 'GET', `/meeting-links/${token}`)
    if (answer.isDone) noteAnswer(answer.body)
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

  if (failure) return <Failed failure={failure} onAgain={() => again(attempt + 1)} />
  if (!meeting) return <Loading />
  if (ending) return <Ended ending={ending} meeting={meeting} onAgain={() => setEnding(undefined)} />
  if (call) return <RoomPage call={call} devices={devices} meeting={meeting} />
  return <Lobby devices={devices} meeting={meeting} onJoin={join} />
}

function Loading() {
  const { say } = useSpeaker()
  return (
    <LinkPage title={say('meeting.title')}>
      <Skeleton lines={6} />
    </LinkPage>
  )
}

/** Why the link does not open the meeting now. */
function Failed({ failure, onAgain }: { failure: Refused; onAgain: () => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
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
    const { day, time } = deviceClock(speaker)
    const note = say('meeting.notYetNote', { day: day(opensAt), time: time(opensAt) })
    return (
      <EndPage title={say('meeting.notYet')} note={note}>
        <Button onPress={onAgain}>{say('meeting.tryAgain')}</Button>
      </EndPage>
    )
  }
  if (code === 'over') return <EndPage title={say('meeting.over')} note={say('meeting.overNote')} />
  if (code === 'cancelled') return <EndPage title={say('meeting.cancelled')} note={say('meeting.cancelledNote')} />
  if (feature !== undefined) return <EndPage title={say('meeting.off')} note={say('meeting.offNote')} />
  return <NotRead failure={failure} onAgain={onAgain} />
}

/** The call is over for this page: why, and what can be done. */
function Ended({ ending, meeting, onAgain }: { ending: Ending; meeting: Meeting; onAgain: () => void }) {
  const { say } = useSpeaker()
  const ofLinks = useLinkSpeaker()
  const texts: Record<Ending, readonly [title: string, note: string, again?: string]> = {
    left: [say('meeting.left'), say('meeting.leftNote'), say('meeting.again')],
    lost: [say('meeting.left'), say('meeting.leftNote'), say('meeting.again')],
    stopped: [say('meeting.left'), say('meeting.leftNote'), say('meeting.again')],
    declined: [say('meeting.declined'), say('meeting.declinedNote'), say('meeting.again')],
    removed: [say('meeting.removed'), say('meeting.removedNote'), say('meeting.again')],
    ended: [say('meeting.ended'), say('meeting.endedNote'), say('meeting.again')],
    over: [say('meeting.over'), say('meeting.overNote')],
    cancelled: [say('meeting.cancelled'), say('meeting.cancelledNote')],
    link: [ofLinks.say('link.ended'), ofLinks.say('link.endedNote')],
    full: [say('meeting.full'), say('meeting.fullNote'), say('meeting.again')],
    elsewhere: [say('meeting.elsewhere'), say('meeting.elsewhereNote'), say('meeting.here')],
    tooMany: [say('meeting.tooMany'), say('meeting.tooManyNote'), say('meeting.again')],
  }
  const [title, note, again] = texts[ending]
  return (
    <EndPage title={title} note={note} over={ofLinks.say('link.study', { study: meeting.trialName })}>
      {again && (
        <Button kind="main" onPress={onAgain}>
          {again}
        </Button>
      )}
    </EndPage>
  )
}
