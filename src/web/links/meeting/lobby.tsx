/** Before the meeting: camera and microphone are asked for and tried, and nobody sees or hears anything yet. */
import { useState } from 'preact/hooks'
import { Button } from '#web/ui/components'
import { LinkPage } from '../frame'
import { useSpeaker as useLinkSpeaker } from '../speaking'
import { DeviceMenus, Level } from './deviceMenus'
import type { LocalDevices } from './devices'
import { RoomIcon } from './icons'
import { deviceClock, type Meeting } from './meeting'
import { Picture } from './picture'
import { useSpeaker } from './speaking'
import { Trouble } from './trouble'

export function Lobby({ devices, meeting, onJoin }: { devices: LocalDevices; meeting: Meeting; onJoin: () => void }) {
  const speaker = useSpeaker()
  const { say } = speaker
  const ofLinks = useLinkSpeaker()
  const [isAsking, setAsking] = useState(false)
  const { day, time } = deviceClock(speaker)
  const hasAny = devices.camera.value !== undefined || devices.microphone.value !== undefined
  const problem = devices.problem.value
  const allow = async () => {
    setAsking(true)
    await devices.ask()
    setAsking(false)
  }
  return (
    <LinkPage title={meeting.name} over={ofLinks.say('link.study', { study: meeting.trialName })}>
      <p class="lead">{say('meeting.when', { day: day(meeting.startAt), time: time(meeting.startAt) })}</p>
      <p>{say('meeting.you', { name: meeting.person.name })}</p>
      <section class="card" aria-labelledby="devices">
        <h2 id="devices">{say('meeting.devices')}</h2>
        {hasAny ? <Preview devices={devices} /> : problem ? <Trouble problem={problem} /> : <p>{say('meeting.ask')}</p>}
        <div class="actions">
          {hasAny ? (
            <Button kind="main" onPress={onJoin}>
              {say('meeting.join')}
            </Button>
          ) : (
            <>
              <Button kind={problem ? 'main' : 'quiet'} onPress={onJoin}>
                {say(problem ? 'meeting.joinWithout' : 'meeting.without')}
              </Button>
              {problem !== 'insecure' && problem !== 'unable' && (
                <Button kind={problem ? 'quiet' : 'main'} isBusy={isAsking} onPress={() => void allow()}>
                  {say(problem ? 'meeting.tryAgain' : 'meeting.allow')}
                </Button>
              )}
            </>
          )}
        </div>
      </section>
      <p class="note">{say('meeting.private')}</p>
    </LinkPage>
  )
}

function Preview({ devices }: { devices: LocalDevices }) {
  const { say } = useSpeaker()
  const { camera, microphone, isMuted } = devices
  const isHeard = microphone.value !== undefined && !isMuted.value
  const isSeen = camera.value !== undefined
  return (
    <>
      <div class="room-preview">
        {camera.value ? (
          <Picture tracks={[camera.value]} label={say('meeting.preview')} isOwn />
        ) : (
          <p class="room-preview-off">{say('meeting.noPicture')}</p>
        )}
        <div class="room-preview-controls">
          <button type="button" class="room-control" aria-pressed={!isHeard} onClick={() => void devices.mute(isHeard)}>
            <RoomIcon name={isHeard ? 'microphone' : 'microphoneOff'} />
            <span>{say(isHeard ? 'meeting.mute' : 'meeting.unmute')}</span>
          </button>
          <button
            type="button"
            class="room-control"
            aria-pressed={!isSeen}
            onClick={() => void devices.turnCamera(!isSeen)}
          >
            <RoomIcon name={isSeen ? 'camera' : 'cameraOff'} />
            <span>{say(isSeen ? 'meeting.cameraOff' : 'meeting.cameraOn')}</span>
          </button>
        </div>
      </div>
      {isHeard && microphone.value && <Level track={microphone.value} />}
      <DeviceMenus devices={devices} />
    </>
  )
}
