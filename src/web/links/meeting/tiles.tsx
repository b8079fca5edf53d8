/** The pictures of everybody in the meeting, and the screens that they show. */
import { useState } from 'preact/hooks'
import type { Person } from '#conduct/meetingRooms/messages'
import { Dialog } from '#web/kit/ui/components'
import type { Call, RemotePerson, Room } from './call'
import { canCall, type LocalDevices } from './devices'
import { RoomIcon } from './icons'
import { Picture } from './picture'
import { useTranslator } from './texts'

type Props = { call: Call; devices: LocalDevices; room: Room; volume: number }

export function Tiles({ call, devices, room, volume }: Props) {
  const { t } = useTranslator()
  const [personToRemove, setLeaving] = useState<Person>()
  const { people, you } = room
  const isTeam = people.some(({ id, kind }) => id === you && kind === 'staff')
  // The others first: one's own picture is the least important one.
  const all = [...people.filter(({ id }) => id !== you), ...people.filter(({ id }) => id === you)]
  const screens = all.filter(({ id, screen }) => screen && id !== you)
  return (
    <>
      {screens.map(({ id, name }) => {
        const stream = call.seen.value.get(id)?.peer.screen
        const label = t('meeting.screenOf', { name })
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
        aria-label={t('meeting.people')}
      >
        {all.map((person) =>
          person.id === you ? (
            <OwnTile key={person.id} person={person} devices={devices} />
          ) : (
            <Tile
              key={person.id}
              person={person}
              remotePerson={call.seen.value.get(person.id)}
              volume={volume}
              onRemove={isTeam ? () => setLeaving(person) : undefined}
            />
          ),
        )}
      </ul>
      {all.length === 1 && (
        <p class="room-alone" role="status">
          <strong>{t('meeting.alone')}</strong> {t('meeting.aloneNote')}
        </p>
      )}
      {personToRemove && (
        <Dialog
          title={t('meeting.remove')}
          action={{
            label: t('meeting.remove'),
            kind: 'danger',
            onPress: () => {
              call.send({ type: 'remove', person: personToRemove.id })
              setLeaving(undefined)
            },
          }}
          onClose={() => setLeaving(undefined)}
        >
          <p>{t('meeting.removeNote', { name: personToRemove.name })}</p>
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

type TileProps = {
  person: Person
  remotePerson: RemotePerson | undefined
  volume: number
  onRemove: (() => void) | undefined
}

function Tile({ person, remotePerson, volume, onRemove }: TileProps) {
  const { t } = useTranslator()
  const { name, camera, microphone, isHere, canCall: canOther } = person
  const isConnected = remotePerson?.isConnected === true
  const isSpeaking = isConnected && microphone && remotePerson.isSpeaking
  const missing = canOther ? 'meeting.connecting' : 'meeting.onlyWrites'
  // Where this browser is the one that cannot, the page has said so already.
  const isCalling = isHere && (!canOther || canCall())
  const state = !isHere ? 'meeting.theyLost' : isCalling && !isConnected ? missing : undefined
  return (
    <li class={`room-person${isSpeaking ? ' speaking' : ''}`}>
      {!(camera && isConnected) && <Initial name={name} />}
      {remotePerson && (
        <Picture stream={remotePerson.peer.pictures} label={name} volume={volume} isHidden={!(camera && isConnected)} />
      )}
      {state && <p class="room-person-state">{t(state)}</p>}
      <p class="room-person-name">
        {!microphone && (
          <>
            <RoomIcon name="microphoneOff" />
            <span class="hidden">{t('meeting.isMuted')}. </span>
          </>
        )}
        <bdi>{name}</bdi>
        {isSpeaking && <span class="hidden">{t('meeting.isSpeaking')}</span>}
      </p>
      {onRemove && (
        <button
          type="button"
          class="room-person-remove"
          aria-label={t('meeting.removeOf', { name })}
          onClick={onRemove}
        >
          <RoomIcon name="remove" />
        </button>
      )}
    </li>
  )
}

function OwnTile({ person: { name }, devices }: { person: Person; devices: LocalDevices }) {
  const { t } = useTranslator()
  const { camera, microphone, isMuted } = devices
  const isHeard = microphone.value !== undefined && !isMuted.value
  return (
    <li class="room-person">
      {camera.value ? (
        <Picture tracks={[camera.value]} label={t('meeting.own', { name })} isOwn />
      ) : (
        <Initial name={name} />
      )}
      <p class="room-person-name">
        {!isHeard && (
          <>
            <RoomIcon name="microphoneOff" />
            <span class="hidden">{t('meeting.isMuted')}. </span>
          </>
        )}
        <bdi>{t('meeting.own', { name })}</bdi>
      </p>
    </li>
  )
}
