/** What the server's socket and the rooms of meetings know of each other. */

/** The part of a WebSocket that rooms use. */
export type Socket = { send(text: string): unknown; close(): void }

/** One WebSocket. */
export type Connection = {
  onOpen(socket: Socket): void
  onMessage(socket: Socket, content: string | Buffer): void
  onClose(): void
}

/** Responds to a request to `/meeting-rooms/*`. @param hosts of the addresses of this server, as its pages know it */
export type MeetingRoomRoute = (
  request: Request,
  address: string | null,
  hosts: readonly (string | null | undefined)[],
) => Promise<Connection | Response>
