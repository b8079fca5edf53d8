/** Before the meeting: camera and microphone are asked for and tried, and nobody sees or hears anything yet. */
import { useState } from 'preact/hooks'
import { Button } from '#web/kit/ui/components'
import { useTranslator as useLinkTranslator } from '#web/links/texts'
import { LinkPage } from '../frame'
import { DeviceMenus, Level } from './deviceMenus'
import type { LocalDevices } from './devices'
import { RoomIcon } from './icons'
import { deviceClock, type Meeting } from './meeting'
import { Picture } from './picture'
import { useTranslator } from './texts'
import { Trouble } from './trouble'

export function Lobby({ devices, meeting, onJoin }: { devices: LocalDevices; meeting: Meeting; onJoin: () => void }) {
  const translator = useTranslator()
  const { t } = translator
  const ofLinks = useLinkTranslator()
  const [isAsking, setAsking] = useState(false)
  const { day, time } = deviceClock(translator)
  const hasAny = devices.camera.value !== undefined || devices.microphone.value !== undefined
  const problem = devices.problem.value
  const allow = async () => {
    setAsking(true)
    await devices.ask()
    setAsking(false)
  }
  return (
    <LinkPage title={meeting.name} overline={ofLinks.t('link.study', { study: meeting.trialName })}>
      <p class="lead">{t('meeting.when', { day: day(meeting.startAt), time: time(meeting.startAt) })}</p>
      <p>{t('meeting.you', { name: meeting.person.name })}</p>
      <section class="card" aria-labelledby="devices">
        <h2 id="devices">{t('meeting.devices')}</h2>
        {hasAny ? <Preview devices={devices} /> : problem ? <Trouble problem={problem} /> : <p>{t('meeting.ask')}</p>}
        <div class="actions">
          {hasAny ? (
            <Button kind="main" onPress={onJoin}>
              {t('meeting.join')}
            </Button>
          ) : (
            <>
              <Button kind={problem ? 'main' : 'quiet'} onPress={onJoin}>
                {t(problem ? 'meeting.joinWithout' : 'meeting.without')}
              </Button>
              {problem !== 'insecure' && problem !== 'unable' && (
                <Button kind={problem ? 'quiet' : 'main'} isBusy={isAsking} onPress={() => void allow()}>
                  {t(problem ? 'meeting.tryAgain' : 'meeting.allow')}
                </Button>
              )}
            </>
          )}
        </div>
      </section>
      <p class="note">{t('meeting.private')}</p>
    </LinkPage>
  )
}

function Preview({ devices }: { devices: LocalDevices }) {
  const { t } = useTranslator()
  const { camera, microphone, isMuted } = devices
  const isHeard = microphone.value !== undefined && !isMuted.value
  const isSeen = camera.value !== undefined
  return (
    <>
      <div class="room-preview">
        {camera.value ? (
          <Picture tracks={[camera.value]} label={t('meeting.preview')} isOwn />
        ) : (
          <p class="room-preview-off">{t('meeting.noPicture')}</p>
        )}
        <div class="room-preview-controls">
          <button type="button" class="room-control" aria-pressed={!isHeard} onClick={() => void devices.mute(isHeard)}>
            <RoomIcon name={isHeard ? 'microphone' : 'microphoneOff'} />
            <span>{t(isHeard ? 'meeting.mute' : 'meeting.unmute')}</span>
          </button>
          <button
            type="button"
            class="room-control"
            aria-pressed={!isSeen}
            onClick={() => void devices.turnCamera(!isSeen)}
          >
            <RoomIcon name={isSeen ? 'camera' : 'cameraOff'} />
            <span>{t(isSeen ? 'meeting.cameraOff' : 'meeting.cameraOn')}</span>
          </button>
        </div>
      </div>
      {isHeard && microphone.value && <Level track={microphone.value} />}
      <DeviceMenus devices={devices} />
    </>
  )
}
