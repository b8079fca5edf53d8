/**
 * The connection to the browser of one other person. Sound and pictures go from one to the other, without the server and without any
 * other one: there are no STUN or TURN servers, so both must be in one network (docs/meetings.md, "The network").
 *
 * One of the two sides calls, always the same one, and all that may ever be sent has its place from the start: sound, camera, screen.
 * So nothing is negotiated again when somebody switches a camera on, and the two never call at the same time.
 */
import type { ServerMessage } from '#conduct/meetingRooms/messages'

export type Signal = Extract<ServerMessage, { type: 'signal' }>['signal']
export type Tracks = Readonly<Record<'microphone' | 'camera' | 'screen', MediaStreamTrack | undefined>>
const KINDS = ['microphone', 'camera', 'screen'] as const

type Options = {
  /** Whether this side calls. */
  isCaller: boolean
  tracks(): Tracks
  send(signal: Signal): void
  onChange(): void
  /** A new connection is needed. */
  renew(): void
}

/** In milliseconds: after which time without a connection something is done, and how often that is tried before a new connection. */
const [PATIENCE, TRIES] = [4_000, 2]

export type Peer = ReturnType<typeof openPeer>

export function openPeer({ isCaller, tracks, send, onChange, renew }: Options) {
  const connection = new RTCPeerConnection({ iceServers: [], bundlePolicy: 'max-bundle' })
  const own = new MediaStream()
  const pictures = new MediaStream()
  const screen = new MediaStream()
  let isClosed = false
  let tries = 0
  let queue = Promise.resolve()

  const inOrder = (act: () => Promise<unknown>) => {
    queue = queue.then(act).then(
      () => {},
      // A part of a connection that is not there any more. What does not come up is tried again.
      () => {},
    )
  }
  /** In the order in which the caller made them. */
  const transceivers = () => connection.getTransceivers()

  async function offer(): Promise<void> {
    if (isClosed || connection.signalingState !== 'stable') return
    await connection.setLocalDescription()
    sendDescription()
  }

  function sendDescription(): void {
    const { localDescription } = connection
    if (!localDescription || isClosed) return
    const { type, sdp } = localDescription
    if (type === 'offer' || type === 'answer') send({ description: { type, sdp } })
  }

  async function sendTracks(): Promise<void> {
    const current = tracks()
    await Promise.all(KINDS.map((kind, at) => transceivers()[at]?.sender.replaceTrack(current[kind] ?? null)))
  }

  function receiveTracks(): void {
    const [sound, camera, shown] = transceivers().map(({ receiver }) => receiver.track)
    for (const track of [sound, camera]) if (track && !pictures.getTracks().includes(track)) pictures.addTrack(track)
    if (shown && !screen.getTracks().includes(shown)) screen.addTrack(shown)
    onChange()
  }

  async function receiveSignal(signal: Signal): Promise<void> {
    if (isClosed) return
    if ('candidate' in signal) return connection.addIceCandidate(signal.candidate)
    if ('please' in signal) {
      if (!isCaller) return
      if (signal.please === 'renew') renew()
      else restart()
      return
    }
    await connection.setRemoteDescription(signal.description)
    if (signal.description.type === 'offer') {
      for (const place of transceivers()) {
        place.direction = 'sendrecv'
        place.sender.setStreams?.(own)
      }
      await sendTracks()
      await connection.setLocalDescription()
      sendDescription()
    }
    receiveTracks()
  }

  function restart(): void {
    connection.restartIce()
    inOrder(offer)
  }

  /** Nothing comes through: first other ways are looked for, then all begins anew. */
  const watch = setInterval(() => {
    if (connection.connectionState === 'connected') {
      tries = 0
      return
    }
    const isLast = tries++ >= TRIES
    if (!isCaller) send({ please: isLast ? 'renew' : 'restart' })
    else if (isLast) renew()
    else restart()
  }, PATIENCE)

  connection.addEventListener('icecandidate', ({ candidate }) => {
    if (!candidate || isClosed) return
    const { candidate: text, sdpMid, sdpMLineIndex, usernameFragment = null } = candidate
    send({ candidate: { candidate: text, sdpMid, sdpMLineIndex, usernameFragment } })
  })
  connection.addEventListener('connectionstatechange', onChange)
  if (isCaller) {
    for (const kind of ['audio', 'video', 'video'])
      connection.addTransceiver(kind, { direction: 'sendrecv', streams: [own] })
    inOrder(sendTracks)
    inOrder(offer)
  }

  return {
    /** Sound and the camera of the other person, and their screen. */
    pictures,
    screen,
    isConnected: () => connection.connectionState === 'connected',
    receiveSignal: (signal: Signal) => inOrder(() => receiveSignal(signal)),
    /** Sends what this device has now. */
    update: () => inOrder(sendTracks),
    /** How loud the other person is at the moment, from 0 to 1. */
    level: () => transceivers()[0]?.receiver.getSynchronizationSources()[0]?.audioLevel ?? 0,
    close(): void {
      isClosed = true
      clearInterval(watch)
      connection.close()
    },
  }
}
