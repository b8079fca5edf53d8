/** The choice of devices, and what the microphone hears. */
import { useEffect, useId, useState } from 'preact/hooks'
import type { LocalDevices } from './devices'
import { useTranslator } from './texts'

/** How often the bar moves, in milliseconds. */
const EVERY = 100

/** How loud the microphone hears the person. */
export function Level({ track }: { track: MediaStreamTrack }) {
  const { t } = useTranslator()
  const [level, setLevel] = useState(0)
  useEffect(() => {
    const context = new AudioContext()
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(new MediaStream([track])).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const timer = setInterval(() => {
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, each) => sum + each * each, 0) / samples.length
      setLevel(Math.min(1, Math.sqrt(power) * 6))
    }, EVERY)
    return () => {
      clearInterval(timer)
      void context.close()
    }
  }, [track])
  return (
    <div class="room-level">
      <meter min={0} max={1} value={level} aria-label={t('meeting.level')} />
      <p class="note">{t('meeting.speakNow')}</p>
    </div>
  )
}

/** Menus of the cameras and microphones, where there are several. */
export function DeviceMenus({ devices }: { devices: LocalDevices }) {
  const { t } = useTranslator()
  const labels = { camera: t('meeting.camera'), microphone: t('meeting.microphone') }
  return (
    <>
      {(['camera', 'microphone'] as const).map(
        (kind) =>
          devices.choices.value[kind].length > 1 && (
            <DeviceMenu key={kind} kind={kind} label={labels[kind]} devices={devices} />
          ),
      )}
    </>
  )
}

type MenuProps = { kind: 'camera' | 'microphone'; label: string; devices: LocalDevices }

function DeviceMenu({ kind, label, devices }: MenuProps) {
  const id = useId()
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="control menu">
        <select
          id={id}
          class="input"
          value={devices.chosen(kind)}
          onChange={({ currentTarget: { value } }) => void devices.choose(kind, value)}
        >
          {devices.choices.value[kind].map((each, at) => (
            <option key={each.id} value={each.id}>
              {each.label || `${label} ${at + 1}`}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}
