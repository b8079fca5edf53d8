/** The rooms of meetings, as the server opens them: they are loaded when somebody comes to the first. */
import type { Services } from '#http/services'
import { onceAsync } from '#kernel/once'
import type { MeetingRoomRoute } from './connection'

/** Makes the rooms of a service, which are in memory only. */
export function meetingRooms(services: Services): { route: MeetingRoomRoute; stop(): Promise<void> } {
  const loaded = onceAsync(async () => {
    const [{ openRooms }, { connectionFor }] = await Promise.all([import('./rooms'), import('./socket')])
    return { rooms: openRooms(services), connectionFor }
  })
  let isLoaded = false
  return {
    async route(request, address, hosts) {
      isLoaded = true
      const { rooms, connectionFor } = await loaded()
      return connectionFor(services, rooms, { request, address, hosts })
    },
    async stop() {
      if (isLoaded) await (await loaded()).rooms.stop()
    },
  }
}
