/** The camera, the microphone and the screen of this device. */
import { batch, signal } from '@preact/signals'

/** Why there is no picture or sound of this device. */
export type Problem = 'unable' | 'insecure' | 'refused' | 'missing' | 'busy'
type Kind = 'microphone' | 'camera'
export type Choices = Readonly<Record<Kind, readonly { id: string; label: string }[]>>
export type LocalDevices = ReturnType<typeof openDevices>

const constraintsOf = (kind: Kind, id: string | undefined): MediaTrackConstraints => {
  const chosen = id ? { deviceId: { exact: id } } : {}
  // Each browser sends its picture to each other one: a larger one would be too much for six people.
  const picture = { width: { ideal: 960 }, height: { ideal: 540 }, frameRate: { ideal: 24, max: 30 } }
  if (kind === 'camera') return { ...picture, ...(id ? chosen : { facingMode: 'user' }) }
  return { echoCancellation: true, noiseSuppression: true, autoGainControl: true, ...chosen }
}

const problemOf = (reason: unknown): Problem => {
  const name = reason instanceof DOMException ? reason.name : ''
  if (name === 'NotAllowedError' || name === 'SecurityError') return 'refused'
  return name === 'NotFoundError' || name === 'OverconstrainedError' ? 'missing' : 'busy'
}

/** Browsers give no camera to pages that others could have altered on their way (docs/certificates.md). */
const isSecure = () => window.isSecureContext && navigator.mediaDevices !== undefined

/** Whether this browser can exchange pictures and sound with others: some small ones cannot, and some have it switched off. */
export const canCall = (): boolean => 'RTCPeerConnection' in window

/** What keeps the page from devices before it asks for one. */
const deviceProblem = (): Problem | undefined => {
  if (!canCall()) return 'unable'
  return isSecure() ? undefined : 'insecure'
}

export const canShareScreen = (): boolean =>
  deviceProblem() === undefined && 'getDisplayMedia' in navigator.mediaDevices

export function openDevices() {
  const tracks = {
    microphone: signal<MediaStreamTrack | undefined>(undefined),
    camera: signal<MediaStreamTrack | undefined>(undefined),
    screen: signal<MediaStreamTrack | undefined>(undefined),
  }
  const isMuted = signal(false)
  const problem = signal<Problem | undefined>(deviceProblem())
  const choices = signal<Choices>({ microphone: [], camera: [] })
  const chosen: Partial<Record<Kind, string>> = {}

  function setTrack(kind: keyof typeof tracks, track: MediaStreamTrack | undefined): void {
    tracks[kind].value?.stop()
    tracks[kind].value = track
    if (!track) return
    if (kind === 'microphone') track.enabled = !isMuted.value
    // It was unplugged, or the person stopped it in the browser.
    track.addEventListener('ended', () => {
      if (tracks[kind].value === track) tracks[kind].value = undefined
    })
  }

  async function list(): Promise<void> {
    if (!isSecure()) return
    const all = await navigator.mediaDevices.enumerateDevices().catch(() => [])
    const of = (kind: MediaDeviceKind) =>
      all.flatMap(({ kind: each, deviceId: id, label }) => (each === kind && id ? [{ id, label }] : []))
    choices.value = { microphone: of('audioinput'), camera: of('videoinput') }
  }

  async function open(kinds: readonly Kind[]): Promise<Problem | undefined> {
    const problem = deviceProblem()
    if (problem) return problem
    const wanted = (kind: Kind) => (kinds.includes(kind) ? constraintsOf(kind, chosen[kind]) : false)
    try {
      const asked = { audio: wanted('microphone'), video: wanted('camera') }
      const stream = await navigator.mediaDevices.getUserMedia(asked)
      batch(() => {
        const [sound, picture] = [stream.getAudioTracks()[0], stream.getVideoTracks()[0]]
        if (sound) setTrack('microphone', sound)
        if (picture) setTrack('camera', picture)
      })
      return undefined
    } catch (reason) {
      return problemOf(reason)
    }
  }

  async function start(kind: Kind): Promise<void> {
    problem.value = await open([kind])
    await list()
  }

  return {
    ...tracks,
    isMuted,
    problem,
    choices,
    chosen: (kind: Kind) => tracks[kind].value?.getSettings().deviceId ?? chosen[kind] ?? '',
    /** Asks the person for camera and microphone at once; for one of them if the device lacks the other. */
    async ask(): Promise<void> {
      let failed = await open(['microphone', 'camera'])
      if (failed === 'missing' || failed === 'busy') {
        const single = [await open(['microphone']), await open(['camera'])]
        failed = single.includes(undefined) ? undefined : single[0]
      }
      problem.value = failed
      await list()
    },
    async choose(kind: Kind, id: string): Promise<void> {
      chosen[kind] = id
      if (tracks[kind].value) await start(kind)
    },
    /** A muted microphone stays open, so that it is back at once. */
    async mute(isOff: boolean): Promise<void> {
      isMuted.value = isOff
      if (tracks.microphone.value) {
        tracks.microphone.value.enabled = !isOff
        problem.value = undefined
      } else if (!isOff) await start('microphone')
    },
    /** A camera that is off is closed: its light goes out. */
    async turnCamera(isOn: boolean): Promise<void> {
      if (isOn) await start('camera')
      else setTrack('camera', undefined)
    },
    /** Shows the screen to the others. Who thinks better of it in the browser's question has changed nothing. */
    async shareScreen(): Promise<void> {
      const stream = await navigator.mediaDevices
        .getDisplayMedia({ video: { frameRate: { max: 15 } } })
        .catch(() => undefined)
      setTrack('screen', stream?.getVideoTracks()[0])
    },
    stopScreen: () => setTrack('screen', undefined),
    stopAll(): void {
      for (const kind of ['microphone', 'camera', 'screen'] as const) setTrack(kind, undefined)
    },
    listen(): () => void {
      if (!isSecure()) return () => {}
      const refresh = () => void list()
      navigator.mediaDevices.addEventListener('devicechange', refresh)
      return () => navigator.mediaDevices.removeEventListener('devicechange', refresh)
    },
  }
}
