/** The rooms of all meetings that somebody is in at the moment (docs/meetings.md). */
import { featuresOf } from '#access/features'
import { joinUrl, type LinkOwner } from '#conduct/appointments/links'
import { meetingOfLink } from '#conduct/appointments/scope'
import type { Client } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { Problem, refuse } from '#kernel/problem'
import { logPresence } from './log'
import type { LeaveReason } from './messages'
import { openRoom, type Room } from './room'
import { type RoomTimes, roomTimes } from './rules'

type OpenRoom = { room: Room; stopChecking(): void }

/** A link as its room needs it. @throws as `meetingOfLink` does, and 403 without the feature */
function requireMeeting({ db, seal, clock }: Services, token: string) {
  const found = meetingOfLink({ db, seal }, token, clock.now())
  if (!featuresOf(db, found.trial.team).videoCalls) throw refuse.feature('videoCalls')
  return found
}

/** Why a link that was valid is not any more; undefined if it is. */
function leaveReasonOf(services: Services, meeting: Id, owner: LinkOwner): LeaveReason | undefined {
  const token = joinUrl(services.seal, '', meeting, owner).split('/').at(-1) ?? ''
  try {
    requireMeeting(services, token)
    return undefined
  } catch (reason) {
    if (!(reason instanceof Problem)) throw reason
    const { code } = reason.body.details ?? {}
    return code === 'over' || code === 'cancelled' ? code : 'link'
  }
}

export type Rooms = ReturnType<typeof openRooms>

export function openRooms(services: Services, times: RoomTimes = roomTimes) {
  const rooms = new Map<Id, OpenRoom>()
  const clients = new Map<string, Client>()
  const entries = new Set<Promise<void>>()
  const keyOf = (meeting: Id, { kind, _id }: LinkOwner) => `${meeting} ${kind} ${_id}`

  function roomOf(meeting: { _id: Id; trial: Id; participant: Id }): Room {
    const known = rooms.get(meeting._id)
    if (known) return known.room
    const room = openRoom({
      now: () => services.clock.now(),
      log(presence) {
        const client = clients.get(keyOf(meeting._id, presence.owner)) ?? { address: null, device: null }
        const written = logPresence(services, meeting, presence, client)
        entries.add(written)
        void written.finally(() => entries.delete(written))
      },
      delay(act) {
        const timer = setTimeout(act, times.seatTimeout)
        return () => clearTimeout(timer)
      },
      onEmpty() {
        rooms.get(meeting._id)?.stopChecking()
        rooms.delete(meeting._id)
        for (const key of clients.keys()) if (key.startsWith(meeting._id)) clients.delete(key)
      },
    })
    const timer = setInterval(() => {
      try {
        room.removeMembers((owner) => leaveReasonOf(services, meeting._id, owner))
      } catch (reason) {
        services.fault(reason, 'meeting')
      }
    }, times.checkInterval)
    rooms.set(meeting._id, { room, stopChecking: () => clearInterval(timer) })
    return room
  }

  return {
    /** The place that a link gives, to be taken. @throws as the operation that opens a link does */
    admit(token: string, client: Client) {
      const { appointment, trial, participant, owner, person } = requireMeeting(services, token)
      return (page: string, line: Parameters<Room['enter']>[0]['line']) => {
        clients.set(keyOf(appointment._id, owner), client)
        const meeting = { _id: appointment._id, trial: trial._id, participant: participant._id }
        return roomOf(meeting).enter({ owner, name: person.name, page, line })
      }
    },
    /** Notifies everybody that the server stops, and waits until it is recorded that they left. */
    async stop(): Promise<void> {
      for (const { room } of [...rooms.values()]) room.removeMembers(() => 'stopped')
      await Promise.all(entries)
    },
  }
}
