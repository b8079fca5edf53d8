/** The rooms of meetings, as the server opens them: they are loaded when somebody comes to the first. */
import { toResponse } from '#http/answer'
import type { Services } from '#http/services'
import { loadedOnce } from '#kernel/lazily'
import { refuse } from '#kernel/problem'
import type { MeetingRoomRoute } from './connection'
import type { RoomTimes } from './rules'

/** Makes the rooms of a service, which are in memory only. */
export function meetingRooms(
  services: Services,
  times?: RoomTimes,
): { route: MeetingRoomRoute; stop(): Promise<void> } {
  let isStopped = false
  const loaded = loadedOnce(async () => {
    const [{ openRooms }, { connectionFor }] = await Promise.all([import('./rooms'), import('./socket')])
    return { rooms: openRooms(services, times), connectionFor }
  })
  let isLoaded = false
  return {
    async route(request, address, hosts) {
      isLoaded = true
      const { rooms, connectionFor } = await loaded()
      if (isStopped) return toResponse(services, 503, refuse.unavailable('The server stops.').body)
      return connectionFor(services, rooms, { request, address, hosts })
    },
    async stop() {
      isStopped = true
      if (isLoaded) await (await loaded()).rooms.stop()
    },
  }
}
