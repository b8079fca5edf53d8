/** The meeting itself: the pictures of all, what one can do, and the chat. */

import { useEffect, useRef, useState } from 'preact/hooks'
import { personalText } from '#web/kit/language/studyText'
import { Button, EmptyState, Notice } from '#web/kit/ui/components'
import { useTranslator as useLinkTranslator } from '#web/links/texts'
import { LinkPage } from '../frame'
import type { Call, Room } from './call'
import { Chat } from './chat'
import { Controls } from './controls'
import type { LocalDevices } from './devices'
import type { Meeting } from './meeting'
import { Picture } from './picture'
import { useTranslator } from './texts'
import { Tiles } from './tiles'
import { Trouble } from './trouble'

type Props = { call: Call; devices: LocalDevices; meeting: Meeting }

export function RoomPage(props: Props) {
  const { t } = useTranslator()
  const room = props.call.room.value
  if (room?.isInside) return <MeetingRoom {...props} room={room} />
  const title = room ? t('meeting.waiting') : t('meeting.connecting')
  return (
    <LinkPage title={title} overline={props.meeting.name} isNext>
      <Waiting {...props} room={room} />
    </LinkPage>
  )
}

/** Somebody of the team must let the person in first. */
function Waiting({ call, devices, room }: Props & { room: Room | undefined }) {
  const { t } = useTranslator()
  const camera = devices.camera.value
  const note = room && t(room.isTeamHere ? 'meeting.waitingNote' : 'meeting.waitingAlone')
  return (
    <div class="card">
      {call.isLost.value && <Notice kind="warning" title={t('meeting.lost')} isLive />}
      {camera && (
        <div class="room-preview">
          <Picture tracks={[camera]} label={t('meeting.preview')} isOwn />
        </div>
      )}
      <div role="status">{note && <EmptyState icon="info" title={note} />}</div>
      <div class="actions">
        <Button onPress={call.leave}>{t('meeting.leave')}</Button>
      </div>
    </div>
  )
}

function MeetingRoom({ call, devices, meeting, room }: Props & { room: Room }) {
  const { t } = useTranslator()
  const ofLinks = useLinkTranslator()
  const heading = useRef<HTMLHeadingElement>(null)
  // Where nothing else is possible, the chat is open.
  const [isChatOpen, openChat] = useState(devices.problem.value === 'unable')
  const [readUpTo, setReadUpTo] = useState(0)
  const [volume, setVolume] = useState(1)
  const last = call.chat.value.at(-1)?.number ?? 0
  useEffect(() => heading.current?.focus(), [])
  useEffect(() => {
    if (isChatOpen) setReadUpTo(last)
  }, [isChatOpen, last])
  const unread = call.chat.value.filter(({ number, isOwn }) => number > readUpTo && !isOwn).length
  return (
    <div class={`room${isChatOpen ? ' with-chat' : ''}`}>
      <header class="room-top">
        <h1 ref={heading} tabIndex={-1} {...personalText()}>
          {meeting.name}
        </h1>
        <p class="note">{ofLinks.t('link.study', { study: meeting.trialName })}</p>
      </header>
      <main id="page" class="room-main">
        {call.isLost.value && <Notice kind="warning" title={t('meeting.lost')} isLive />}
        {devices.problem.value === 'unable' && <Trouble problem="unable" />}
        <WaitingList call={call} room={room} />
        <Tiles call={call} devices={devices} room={room} volume={volume} />
        <Announcer room={room} />
      </main>
      {isChatOpen && <Chat call={call} onClose={() => openChat(false)} />}
      <Controls
        {...{ call, devices, isChatOpen, unread, volume }}
        isTeam={meeting.person.kind === 'staff'}
        onChat={() => openChat((isOpen) => !isOpen)}
        onVolume={setVolume}
      />
    </div>
  )
}

/** The people who wait, for the team. */
function WaitingList({ call, room }: { call: Call; room: Room }) {
  const { t } = useTranslator()
  return (
    <div role="status" class="room-waiting">
      {room.waiting.map(({ id, name }) => (
        <div class="notice info" key={id}>
          <p>{t('meeting.isWaiting', { name })}</p>
          <div class="room-waiting-actions">
            <Button onPress={() => call.send({ type: 'decline', person: id })}>{t('meeting.decline')}</Button>
            <Button kind="main" onPress={() => call.send({ type: 'admit', person: id })}>
              {t('meeting.admit')}
            </Button>
          </div>
        </div>
      ))}
    </div>
  )
}

/** Announces to screen readers who came and who left. */
function Announcer({ room: { people, you } }: { room: Room }) {
  const { t } = useTranslator()
  const known = useRef(new Map(people.map(({ id, name }) => [id, name])))
  const [text, setText] = useState('')
  useEffect(() => {
    const now = new Map(people.map(({ id, name }) => [id, name]))
    const came = [...now].filter(([id]) => !known.current.has(id) && id !== you)
    const went = [...known.current].filter(([id]) => !now.has(id) && id !== you)
    known.current = now
    const [first] = [
      ...came.map(([, name]) => t('meeting.came', { name })),
      ...went.map(([, name]) => t('meeting.went', { name })),
    ]
    if (first !== undefined) setText(first)
  }, [people])
  return (
    <p class="hidden" role="status">
      {text}
    </p>
  )
}
