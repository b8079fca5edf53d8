/** What one can do in a meeting. */
import { useId, useState } from 'preact/hooks'
import { Button, Dialog } from '#web/kit/ui/components'
import type { Call } from './call'
import { DeviceMenus } from './deviceMenus'
import { canShareScreen, type LocalDevices } from './devices'
import { RoomIcon, type RoomIconName } from './icons'
import { useTranslator } from './texts'
import { Trouble } from './trouble'

type Props = {
  call: Call
  devices: LocalDevices
  isTeam: boolean
  isChatOpen: boolean
  unread: number
  volume: number
  onChat: () => void
  onVolume: (volume: number) => void
}

type ControlProps = {
  icon: RoomIconName
  text: string
  /** Of a control that is on or off: whether what is usual is off. */
  isOff?: boolean
  isOpen?: boolean
  kind?: 'leave'
  badge?: string | false
  onPress: () => void
}

/** The text of a control says what it will do. */
const Control = ({ icon, text, isOff, isOpen, kind, badge, onPress }: ControlProps) => (
  <button
    type="button"
    class={`room-control${isOff ? ' off' : ''}${kind ? ` ${kind}` : ''}`}
    aria-expanded={isOpen}
    onClick={onPress}
  >
    <RoomIcon name={icon} />
    <span>{text}</span>
    {badge && (
      <span class="room-badge">
        <span aria-hidden="true" />
        <span class="hidden">{badge}</span>
      </span>
    )}
  </button>
)

export function Controls({ call, devices, isTeam, isChatOpen, unread, volume, onChat, onVolume }: Props) {
  const { t, count } = useTranslator()
  const [open, setOpen] = useState<'settings' | 'leave' | 'trouble'>()
  const close = () => setOpen(undefined)
  const { microphone, camera, screen, isMuted } = devices
  const isHeard = microphone.value !== undefined && !isMuted.value
  const isSeen = camera.value !== undefined
  const isShown = screen.value !== undefined
  const switchOn = async (done: Promise<void>) => {
    await done
    if (devices.problem.value) setOpen('trouble')
  }
  return (
    <footer class="room-bar">
      <h2 class="hidden">{t('meeting.controls')}</h2>
      <Control
        icon={isHeard ? 'microphone' : 'microphoneOff'}
        text={t(isHeard ? 'meeting.mute' : 'meeting.unmute')}
        isOff={!isHeard}
        onPress={() => void (isHeard ? devices.mute(true) : switchOn(devices.mute(false)))}
      />
      <Control
        icon={isSeen ? 'camera' : 'cameraOff'}
        text={t(isSeen ? 'meeting.cameraOff' : 'meeting.cameraOn')}
        isOff={!isSeen}
        onPress={() => void (isSeen ? devices.turnCamera(false) : switchOn(devices.turnCamera(true)))}
      />
      {canShareScreen() && (
        <Control
          icon="screen"
          text={t(isShown ? 'meeting.stopSharing' : 'meeting.share')}
          onPress={() => (isShown ? devices.stopScreen() : void devices.shareScreen())}
        />
      )}
      <Control
        icon="chat"
        text={t('meeting.chat')}
        isOpen={isChatOpen}
        badge={unread > 0 && count('meeting.unread', unread)}
        onPress={onChat}
      />
      <Control icon="settings" text={t('meeting.settings')} onPress={() => setOpen('settings')} />
      <Control
        icon="leave"
        text={t('meeting.leave')}
        kind="leave"
        onPress={() => (isTeam ? setOpen('leave') : call.leave())}
      />
      {open === 'settings' && (
        <Dialog title={t('meeting.settings')} onClose={close}>
          <DeviceMenus devices={devices} />
          <Volume volume={volume} onVolume={onVolume} />
        </Dialog>
      )}
      {open === 'trouble' && devices.problem.value && (
        <Dialog title={t('meeting.devices')} onClose={close}>
          <Trouble problem={devices.problem.value} />
        </Dialog>
      )}
      {open === 'leave' && (
        <Dialog title={t('meeting.leave')} action={{ label: t('meeting.leave'), onPress: call.leave }} onClose={close}>
          <p>{t('meeting.endNote')}</p>
          <Button kind="danger" onPress={() => call.send({ type: 'end' })}>
            {t('meeting.end')}
          </Button>
        </Dialog>
      )}
    </footer>
  )
}

function Volume({ volume, onVolume }: Pick<Props, 'volume' | 'onVolume'>) {
  const { t } = useTranslator()
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{t('meeting.volume')}</label>
      <input
        id={id}
        type="range"
        min={0}
        max={1}
        step={0.1}
        value={volume}
        onInput={({ currentTarget: { value } }) => onVolume(Number(value))}
      />
    </div>
  )
}
