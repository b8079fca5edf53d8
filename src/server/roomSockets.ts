/** The WebSockets of the rooms of meetings. */
import type { Connection } from '#conduct/meetingRooms/connection'

/** Where their WebSockets are opened. */
export const ROOMS_PATH = '/meeting-rooms/'
/**
 * What they may send at once is what the longest description of a browser needs. One whose connection is silent is found by a ping
 * within half a minute.
 */
export const websocket: Bun.WebSocketHandler<Connection> = {
  maxPayloadLength: 64 * 1024,
  backpressureLimit: 1024 * 1024,
  closeOnBackpressureLimit: true,
  idleTimeout: 30,
  sendPings: true,
  perMessageDeflate: false,
  open: (socket) => socket.data.onOpen(socket),
  message: (socket, content) => socket.data.onMessage(socket, content),
  close: (socket) => socket.data.onClose(),
}
