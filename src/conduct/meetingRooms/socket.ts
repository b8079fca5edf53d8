/** The WebSocket of the room of a meeting: `/meeting-rooms/<token of the link>?page=<name of the page>`. */
import { toResponse } from '#http/answer'
import type { Services } from '#http/services'
import { networkOf } from '#kernel/address'
import { refusalOf } from '#kernel/machine'
import { Problem, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { Connection, Socket } from './connection'
import { readMessage, refusedMessage, type ServerMessage } from './messages'
import type { Rooms } from './rooms'
import { isOwnOrigin, messageAllowance, OPENINGS, WRONG_LINKS } from './rules'

const PATH = /^\/meeting-rooms\/([\w-]{1,200})$/
const PAGE = /^[\w-]{1,40}$/

type SocketRequest = { request: Request; address: string | null; hosts: readonly (string | null | undefined)[] }
type EnterRoom = ReturnType<Rooms['admit']>

/** Checks what a request asks for. @throws the refusal */
function admitRequest({ limits, clock }: Services, rooms: Rooms, { request, address, hosts }: SocketRequest) {
  const { pathname, searchParams } = new URL(request.url)
  const now = clock.now()
  if (request.headers.get('upgrade')?.toLowerCase() !== 'websocket') throw refuse.bad('webSocketOnly')
  if (!isOwnOrigin(request.headers.get('origin'), hosts)) throw refuse.forbidden('ownPagesOnly')
  const page = searchParams.get('page') ?? ''
  const failures = `failures of /meeting-rooms ${networkOf(address)}`
  limits.requireBelowLimit(failures, WRONG_LINKS, now)
  const [, token = ''] = PATH.exec(pathname) ?? []
  try {
    if (!PAGE.test(page)) throw refuse.bad('pageUnnamed')
    const enterRoom = rooms.admit(token, { address, device: request.headers.get('user-agent')?.slice(0, 300) ?? null })
    limits.count(`/meeting-rooms ${token}`, OPENINGS, now)
    return { page, place: enterRoom }
  } catch (error) {
    if (error instanceof Problem && error.isWrongSecret) limits.addOne(failures, now)
    throw error
  }
}

/** The connection of a page that may come in. */
function connectionOf(services: Services, page: string, enterRoom: EnterRoom): Connection {
  let seat: ReturnType<EnterRoom>
  const isAllowed = messageAllowance()
  const send = (socket: Socket, message: ServerMessage) => void socket.send(JSON.stringify(message))
  return {
    onOpen(socket) {
      seat = enterRoom(page, { send: (message) => send(socket, message), close: () => socket.close() })
      if (seat) return
      send(socket, { type: 'closed', reason: 'full' })
      socket.close()
    },
    onMessage(socket, content) {
      if (!isAllowed(performance.now())) {
        send(socket, { type: 'closed', reason: 'tooMany' })
        return socket.close()
      }
      const read = typeof content === 'string' ? readMessage(content) : { problem: reason('messageNotText') }
      if ('problem' in read) return send(socket, refusedMessage(read.problem))
      try {
        seat?.receive(read.message)
      } catch (error) {
        services.fault(error, 'meeting')
      }
    },
    onClose: () => seat?.disconnect(),
  }
}

/** What a request for a WebSocket gets: a connection to be opened, or why not. */
export function connectionFor(services: Services, rooms: Rooms, socketRequest: SocketRequest): Connection | Response {
  try {
    const { page, place: enterRoom } = admitRequest(services, rooms, socketRequest)
    return connectionOf(services, page, enterRoom)
  } catch (error) {
    if (!(error instanceof Problem)) services.fault(error, 'meeting')
    const { status, body, headers } = error instanceof Problem ? error : refusalOf(error)
    return toResponse(services, status, body, headers)
  }
}
