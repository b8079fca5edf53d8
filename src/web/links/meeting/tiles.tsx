/** The pictures of everybody in the meeting, and the screens that they show. */
import { useState } from 'preact/hooks'
import type { Person } from '#conduct/meetingRooms/messages'
import { Dialog } from '#web/ui/components'
import type { Call, Room, Seen } from './call'
import { canCall, type LocalDevices } from './devices'
import { RoomIcon } from './icons'
import { Picture } from './picture'
import { useSpeaker } from './speaking'

type Props = { call: Call; devices: LocalDevices; room: Room; volume: number }

export function Tiles({ call, devices, room, volume }: Props) {
  const { say } = useSpeaker()
  const [leaving, setLeaving] = useState<Person>()
  const { people, you } = room
  const isTeam = people.some(({ id, kind }) => id === you && kind === 'staff')
  // The others first: one's own picture is the least important one.
  const all = [...people.filter(({ id }) => id !== you), ...people.filter(({ id }) => id === you)]
  const screens = all.filter(({ id, screen }) => screen && id !== you)
  return (
    <>
      {screens.map(({ id, name }) => {
        const stream = call.seen.value.get(id)?.peer.screen
        const label = say('meeting.screenOf', { name })
        return (
          <figure class="room-screen" key={id}>
            {stream && <Picture stream={stream} label={label} />}
            <figcaption>{label}</figcaption>
          </figure>
        )
      })}
      <ul
        class={`room-people${screens.length ? ' beside-screen' : ''}`}
        data-count={all.length}
        aria-label={say('meeting.people')}
      >
        {all.map((person) =>
          person.id === you ? (
            <OwnTile key={person.id} person={person} devices={devices} />
          ) : (
            <Tile
              key={person.id}
              person={person}
              seen={call.seen.value.get(person.id)}
              volume={volume}
              onRemove={isTeam ? () => setLeaving(person) : undefined}
            />
          ),
        )}
      </ul>
      {all.length === 1 && (
        <p class="room-alone" role="status">
          <strong>{say('meeting.alone')}</strong> {say('meeting.aloneNote')}
        </p>
      )}
      {leaving && (
        <Dialog
          title={say('meeting.remove')}
          action={{
            label: say('meeting.remove'),
            kind: 'danger',
            onPress: () => {
              call.send({ type: 'remove', person: leaving.id })
              setLeaving(undefined)
            },
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{say('meeting.removeNote', { name: leaving.name })}</p>
        </Dialog>
      )}
    </>
  )
}

/** The first letter of a name, in place of a picture. */
const Initial = ({ name }: { name: string }) => (
  <span class="room-initial" aria-hidden="true">
    {[...name.trim()][0]?.toUpperCase() ?? '?'}
  </span>
)

type TileProps = { person: Person; seen: Seen | undefined; volume: number; onRemove: (() => void) | undefined }

function Tile({ person, seen, volume, onRemove }: TileProps) {
  const { say } = useSpeaker()
  const { name, camera, microphone, isHere, canCall: canOther } = person
  const isConnected = seen?.isConnected === true
  const isSpeaking = isConnected && microphone && seen.isSpeaking
  const missing = canOther ? 'meeting.connecting' : 'meeting.onlyWrites'
  // Where this browser is the one that cannot, the page has said so already.
  const isCalling = isHere && (!canOther || canCall())
  const state = !isHere ? 'meeting.theyLost' : isCalling && !isConnected ? missing : undefined
  return (
    <li class={`room-person${isSpeaking ? ' speaking' : ''}`}>
      {!(camera && isConnected) && <Initial name={name} />}
      {seen && <Picture stream={seen.peer.pictures} label={name} volume={volume} isHidden={!(camera && isConnected)} />}
      {state && <p class="room-person-state">{say(state)}</p>}
      <p class="room-person-name">
        {!microphone && (
          <>
            <RoomIcon name="microphoneOff" />
            <span class="hidden">{say('meeting.isMuted')}. </span>
          </>
        )}
        <bdi>{name}</bdi>
        {isSpeaking && <span class="hidden">{say('meeting.isSpeaking')}</span>}
      </p>
      {onRemove && (
        <button
          type="button"
          class="room-person-remove"
          aria-label={say('meeting.removeOf', { name })}
          onClick={onRemove}
        >
          <RoomIcon name="remove" />
        </button>
      )}
    </li>
  )
}

function OwnTile({ person: { name }, devices }: { person: Person; devices: LocalDevices }) {
  const { say } = useSpeaker()
  const { camera, microphone, isMuted } = devices
  const isHeard = microphone.value !== undefined && !isMuted.value
  return (
    <li class="room-person">
      {camera.value ? (
        <Picture tracks={[camera.value]} label={say('meeting.own', { name })} isOwn />
      ) : (
        <Initial name={name} />
      )}
      <p class="room-person-name">
        {!isHeard && (
          <>
            <RoomIcon name="microphoneOff" />
            <span class="hidden">{say('meeting.isMuted')}. </span>
          </>
        )}
        <bdi>{say('meeting.own', { name })}</bdi>
      </p>
    </li>
  )
}
