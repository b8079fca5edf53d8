/** The page's part in a meeting: its place in the room, and the connection to each other person. */
import { effect, signal } from '@preact/signals'
import type { Person, ServerMessage } from '#conduct/meetingRooms/messages'
import { canCall, type LocalDevices } from './devices'
import { openPeer, type Peer } from './peer'
import { openRoomConnection } from './roomConnection'

export type Room = Omit<Extract<ServerMessage, { type: 'room' }>, 'type'>
export type ChatLine = { number: number; from: string; name: string; text: string; isOwn: boolean }
export type EndReason = Extract<ServerMessage, { type: 'closed' }>['reason']
/** Another person with what comes from them. */
export type RemotePerson = { peer: Peer; isConnected: boolean; isSpeaking: boolean }
export type Call = ReturnType<typeof openCall>

/** The most messages of the chat that the page keeps. */
const MOST_LINES = 300
/** What counts as speech, and how often it is listened for, in milliseconds. */
const [SPEECH, LISTEN_INTERVAL] = [0.02, 300]

type PeerEntry = { peer: Peer; page: string; call: number }

type Options = {
  token: string
  devices: LocalDevices
  /** Whether the link still works: false ends the call, and the page says why. */
  mayTryAgain(): Promise<boolean>
}

const randomName = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (each) => each.toString(16)).join('')

export function openCall({ token, devices, mayTryAgain }: Options) {
  const page = randomName()
  const room = signal<Room | undefined>(undefined)
  const isLost = signal(false)
  const ending = signal<EndReason | undefined>(undefined)
  const chat = signal<readonly ChatLine[]>([])
  const remotePeople = signal<ReadonlyMap<string, RemotePerson>>(new Map())
  const peers = new Map<string, PeerEntry>()
  let lines = 0

  function show(): void {
    const shown = [...peers].map(
      ([id, { peer }]) =>
        [id, { peer, isConnected: peer.isConnected(), isSpeaking: peer.level() > SPEECH }] satisfies [
          string,
          RemotePerson,
        ],
    )
    const isSame =
      shown.length === remotePeople.value.size &&
      shown.every(([id, now]) => {
        const before = remotePeople.value.get(id)
        return (
          before?.peer === now.peer && before.isConnected === now.isConnected && before.isSpeaking === now.isSpeaking
        )
      })
    if (!isSame) remotePeople.value = new Map(shown)
  }

  function close(id: string): void {
    peers.get(id)?.peer.close()
    peers.delete(id)
  }

  function connect({ id, page }: Pick<Person, 'id' | 'page'>, call: number): PeerEntry {
    close(id)
    const isCaller = (room.value?.you ?? '') < id
    const peer = openPeer({
      isCaller,
      tracks: () => ({
        microphone: devices.microphone.value,
        camera: devices.camera.value,
        screen: devices.screen.value,
      }),
      send: (signal) => roomConnection.send({ type: 'signal', to: id, page, call, signal }),
      onChange: show,
      renew: () => {
        connect({ id, page }, call + 1)
        show()
      },
    })
    const known = { peer, page, call }
    peers.set(id, known)
    return known
  }

  function enter(next: Room): void {
    if (room.value && room.value.you !== next.you) for (const id of peers.keys()) close(id)
    room.value = next
    const others = canCall() ? next.people.filter(({ id, canCall }) => id !== next.you && canCall) : []
    for (const id of peers.keys()) if (!others.some((each) => each.id === id)) close(id)
    for (const other of others) if (peers.get(other.id)?.page !== other.page) connect(other, 0)
    show()
  }

  function receive(message: ServerMessage): void {
    if (message.type === 'room') enter(message)
    else if (message.type === 'signal') {
      const { from, page, call, signal } = message
      const known = peers.get(from)
      if (known?.page !== page || call < known.call) return
      // The other side has begun anew.
      const current = call > known.call ? connect({ id: from, page }, call) : known
      current.peer.receiveSignal(signal)
    } else if (message.type === 'chat') {
      const { from, name, text } = message
      const added = { number: ++lines, from, name, text, isOwn: from === room.value?.you }
      chat.value = [...chat.value.slice(1 - MOST_LINES), added]
    } else if (message.type === 'closed' && message.reason !== 'stopped') end(message.reason)
  }

  const address = new URL(`/meeting-rooms/${token}?page=${page}`, location.href)
  address.protocol = address.protocol.replace('http', 'ws')
  const roomConnection = openRoomConnection({
    url: address.href,
    onMessage: receive,
    onChange(isOpen) {
      isLost.value = !isOpen
      if (isOpen) notifyDevices()
    },
    mayTryAgain,
  })

  function notifyDevices(): void {
    const microphone = devices.microphone.value !== undefined && !devices.isMuted.value
    const [camera, screen] = [devices.camera.value !== undefined, devices.screen.value !== undefined]
    roomConnection.send({ type: 'devices', microphone, camera, screen, canCall: canCall() })
  }

  const stopNotifying = effect(() => {
    notifyDevices()
    for (const { peer } of peers.values()) peer.update()
  })
  const levelTimer = setInterval(show, LISTEN_INTERVAL)

  function end(reason: EndReason): void {
    if (ending.value) return
    ending.value = reason
    stopNotifying()
    clearInterval(levelTimer)
    for (const id of peers.keys()) close(id)
    roomConnection.close()
  }

  return {
    ...{ room, isLost, ending, chat, seen: remotePeople },
    send: roomConnection.send,
    leave(): void {
      roomConnection.send({ type: 'leave' })
      end('left')
    },
  }
}
