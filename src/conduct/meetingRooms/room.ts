/**
 * The room of one meeting, in memory: who is inside, who waits, and what each may say. Sound and pictures never come here: browsers
 * exchange them directly (docs/meetings.md).
 */
import type { LinkOwner } from '#conduct/appointments/links'
import { newSecret } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import {
  type ClientMessage,
  type Devices,
  type LeaveReason,
  type Person,
  refusedMessage,
  type ServerMessage,
} from './messages'
import { MOST_STAFF } from './rules'

/** The connection to one page. */
export type PageConnection = { send(message: ServerMessage): void; close(): void }

/** Who comes in by a link, from which page. */
export type Arrival = { owner: LinkOwner; name: string; page: string; line: PageConnection }

/** What the trial's log says of a person. */
export type PresenceChange = {
  owner: LinkOwner
  type: 'joinMeeting' | 'leaveMeeting'
  event: { admittedBy?: string; reason?: LeaveReason; by?: string; lastSeenAt?: Instant }
}

export type RoomOptions = {
  now(): Instant
  log(presence: PresenceChange): void
  /** Calls a function later. Returns the function that prevents it. */
  delay(act: () => void): () => void
  /** Called when the room is empty. */
  onEmpty(): void
}

type Seat = {
  id: string
  owner: LinkOwner
  name: string
  page: string
  isInside: boolean
  devices: Devices
  /** Undefined while the connection is lost. */
  line: PageConnection | undefined
  /** Prevents that the place is given up. */
  keep?: (() => void) | undefined
  lostAt?: Instant
}

export type Room = ReturnType<typeof openRoom>

const NO_DEVICES: Devices = { microphone: false, camera: false, screen: false, canCall: true }

export function openRoom({ now, log, delay, onEmpty }: RoomOptions) {
  const seats = new Map<string, Seat>()
  const all = () => [...seats.values()]
  const isTeam = ({ owner }: Seat) => owner.kind === 'staff'
  const seatOf = ({ kind, _id }: LinkOwner) => all().find(({ owner }) => owner.kind === kind && owner._id === _id)

  /** Sends the current state of the room to everybody in it. */
  function notifyAll(): void {
    const people = all().filter(({ isInside }) => isInside)
    const waiting = all().filter(({ isInside }) => !isInside)
    const isTeamHere = people.some((each) => isTeam(each) && each.line)
    const persons = people.map(
      ({ id, page, owner, name, line, devices }): Person => ({
        ...{ id, page, kind: owner.kind, name, isHere: line !== undefined },
        ...devices,
      }),
    )
    for (const seat of all()) {
      const mayAdmit = seat.isInside && isTeam(seat)
      seat.line?.send({
        type: 'room',
        you: seat.id,
        isInside: seat.isInside,
        isTeamHere,
        people: seat.isInside ? persons : [],
        waiting: mayAdmit ? waiting.map(({ id, name }) => ({ id, name })) : [],
      })
    }
  }

  /** Takes somebody out of the room, and records that they left if they were inside. */
  function removeSeat(seat: Seat, reason: LeaveReason, by?: string): void {
    if (!seats.delete(seat.id)) return
    seat.keep?.()
    const { line, owner, isInside, lostAt } = seat
    seat.line = undefined
    if (reason !== 'left') line?.send({ type: 'closed', reason })
    line?.close()
    const event = { reason, ...(by && { by }), ...(lostAt !== undefined && { lastSeenAt: lostAt }) }
    if (isInside) log({ owner, type: 'leaveMeeting', event })
    if (seats.size === 0) onEmpty()
  }

  function admitSeat(seat: Seat, by?: string): void {
    seat.isInside = true
    log({ owner: seat.owner, type: 'joinMeeting', event: by ? { admittedBy: by } : {} })
  }

  function takeSeat({ owner, name, page, line }: Arrival): Seat | undefined {
    const known = seatOf(owner)
    if (!known) {
      const isFull = owner.kind === 'staff' && all().filter(isTeam).length >= MOST_STAFF
      if (isFull) return undefined
      const id = newSecret().slice(0, 16)
      const seat: Seat = { id, owner, name, page, isInside: false, devices: NO_DEVICES, line }
      seats.set(id, seat)
      if (isTeam(seat)) admitSeat(seat)
      return seat
    }
    known.keep?.()
    const before = known.line
    if (known.page !== page) {
      known.devices = NO_DEVICES
      before?.send({ type: 'closed', reason: 'elsewhere' })
    }
    delete known.lostAt
    Object.assign(known, { page, line, name, keep: undefined })
    before?.close()
    return known
  }

  /** What only the team may do. Returns why it is not possible. */
  function moderate(
    seat: Seat,
    message: Extract<ClientMessage, { type: 'admit' | 'decline' | 'remove' }>,
  ): Reason | undefined {
    const other = seats.get(message.person)
    const isWaiting = message.type !== 'remove'
    if (!other || other.isInside === isWaiting || other === seat) return reason('personNotHere')
    if (message.type === 'admit') admitSeat(other, seat.owner._id)
    else removeSeat(other, message.type === 'decline' ? 'declined' : 'removed', seat.owner._id)
    notifyAll()
    return undefined
  }

  /** Does what a person inside asks for. Returns why it is not possible. */
  function handleMessage(seat: Seat, message: ClientMessage): Reason | undefined {
    switch (message.type) {
      case 'signal': {
        const { to, page, call, signal } = message
        const other = seats.get(to)
        // A person who has left, or came back with another page, does not need it any more.
        if (!other?.isInside || other === seat || other.page !== page) return undefined
        other.line?.send({ type: 'signal', from: seat.id, page: seat.page, call, signal })
        return undefined
      }
      case 'chat': {
        const { text } = message
        for (const { isInside, line } of all())
          if (isInside) line?.send({ type: 'chat', from: seat.id, name: seat.name, text })
        return undefined
      }
      case 'admit':
      case 'decline':
      case 'remove':
        return isTeam(seat) ? moderate(seat, message) : reason('teamOnly')
      case 'end':
        if (!isTeam(seat)) return reason('teamOnly')
        for (const each of all()) removeSeat(each, 'ended', seat.owner._id)
        return undefined
      default:
        return undefined
    }
  }

  function receive(seat: Seat, message: ClientMessage): void {
    const { line } = seat
    if (message.type === 'ping') line?.send({ type: 'pong' })
    else if (message.type === 'leave') {
      removeSeat(seat, 'left')
      notifyAll()
    } else if (message.type === 'devices') {
      const { microphone, camera, screen, canCall = true } = message
      seat.devices = { microphone, camera, screen, canCall }
      notifyAll()
    } else {
      const problem = seat.isInside ? handleMessage(seat, message) : reason('notInsideYet')
      if (problem) line?.send(refusedMessage(problem))
    }
  }

  /** The connection of a page is lost. A person who was inside keeps the seat for a while. */
  function disconnect(seat: Seat): void {
    seat.line = undefined
    seat.lostAt = now()
    if (!seat.isInside) removeSeat(seat, 'lost')
    else
      seat.keep = delay(() => {
        removeSeat(seat, 'lost')
        notifyAll()
      })
    notifyAll()
  }

  return {
    /** Somebody opened their link. Undefined if the room is full. Who comes again gets the same place, from whatever page. */
    enter(arrival: Arrival): { receive(message: ClientMessage): void; disconnect(): void } | undefined {
      const seat = takeSeat(arrival)
      if (!seat) return undefined
      notifyAll()
      const isCurrent = () => seat.line === arrival.line
      return {
        receive: (message) => void (isCurrent() && receive(seat, message)),
        disconnect: () => void (isCurrent() && disconnect(seat)),
      }
    },
    /** Takes out everybody for whom this function has a reason. */
    removeMembers(reasonFor: (owner: LinkOwner) => LeaveReason | undefined): void {
      let isChanged = false
      for (const seat of all()) {
        const reason = reasonFor(seat.owner)
        if (!reason) continue
        isChanged = true
        removeSeat(seat, reason)
      }
      if (isChanged) notifyAll()
    },
  }
}
