/**
 * The room of one meeting, in memory: who is inside, who waits, and what each may say. Sound and pictures never come here: browsers
 * exchange them directly (docs/meetings.md).
 */
import type { LinkOwner } from '#conduct/appointments/links'
import { newSecret } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Devices, Person, Reason, Received, Sent } from './messages'
import { MOST_STAFF } from './rules'

/** The connection to one page. */
export type Line = { send(message: Sent): void; close(): void }

/** Who comes in by a link, from which page. */
export type Arrival = { owner: LinkOwner; name: string; page: string; line: Line }

/** What the trial's log says of a person. */
export type Presence = {
  owner: LinkOwner
  type: 'joinMeeting' | 'leaveMeeting'
  event: { admittedBy?: string; reason?: Reason; by?: string; lastSeenAt?: Instant }
}

export type RoomOptions = {
  now(): Instant
  log(presence: Presence): void
  /** Calls a function later. Returns the function that prevents it. */
  later(act: () => void): () => void
  /** Nobody is in the room any more. */
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
  line: Line | undefined
  /** Prevents that the place is given up. */
  keep?: (() => void) | undefined
  lostAt?: Instant
}

export type Room = ReturnType<typeof openRoom>

const OFF: Devices = { microphone: false, camera: false, screen: false, canCall: true }

export function openRoom({ now, log, later, onEmpty }: RoomOptions) {
  const seats = new Map<string, Seat>()
  const all = () => [...seats.values()]
  const isTeam = ({ owner }: Seat) => owner.kind === 'staff'
  const seatOf = ({ kind, _id }: LinkOwner) => all().find(({ owner }) => owner.kind === kind && owner._id === _id)

  /** Tells everybody how the room is now. */
  function tell(): void {
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
      const isTold = seat.isInside && isTeam(seat)
      seat.line?.send({
        type: 'room',
        you: seat.id,
        isInside: seat.isInside,
        isTeamHere,
        people: seat.isInside ? persons : [],
        waiting: isTold ? waiting.map(({ id, name }) => ({ id, name })) : [],
      })
    }
  }

  /** Takes somebody out of the room, and records that they left if they were inside. */
  function take(seat: Seat, reason: Reason, by?: string): void {
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

  function letIn(seat: Seat, by?: string): void {
    seat.isInside = true
    log({ owner: seat.owner, type: 'joinMeeting', event: by ? { admittedBy: by } : {} })
  }

  function takeSeat({ owner, name, page, line }: Arrival): Seat | undefined {
    const known = seatOf(owner)
    if (!known) {
      const isFull = owner.kind === 'staff' && all().filter(isTeam).length >= MOST_STAFF
      if (isFull) return undefined
      const id = newSecret().slice(0, 16)
      const seat: Seat = { id, owner, name, page, isInside: false, devices: OFF, line }
      seats.set(id, seat)
      if (isTeam(seat)) letIn(seat)
      return seat
    }
    known.keep?.()
    const before = known.line
    if (known.page !== page) {
      known.devices = OFF
      before?.send({ type: 'closed', reason: 'elsewhere' })
    }
    delete known.lostAt
    Object.assign(known, { page, line, name, keep: undefined })
    before?.close()
    return known
  }

  /** What only the team may do. Returns why it is not possible. */
  function act(seat: Seat, message: Extract<Received, { type: 'admit' | 'decline' | 'remove' }>): string | undefined {
    const other = seats.get(message.person)
    const isWaiting = message.type !== 'remove'
    if (!other || other.isInside === isWaiting || other === seat) return 'There is nobody like that.'
    if (message.type === 'admit') letIn(other, seat.owner._id)
    else take(other, message.type === 'decline' ? 'declined' : 'removed', seat.owner._id)
    tell()
    return undefined
  }

  /** Does what a person inside asks for. Returns why it is not possible. */
  function perform(seat: Seat, message: Received): string | undefined {
    switch (message.type) {
      case 'signal': {
        const { to, page, call, signal } = message
        const other = seats.get(to)
        // Who is gone, or came back by another page, needs it no more.
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
        return isTeam(seat) ? act(seat, message) : 'Only the team may do that.'
      case 'end':
        if (!isTeam(seat)) return 'Only the team may do that.'
        for (const each of all()) take(each, 'ended', seat.owner._id)
        return undefined
      default:
        return undefined
    }
  }

  function receive(seat: Seat, message: Received): void {
    const { line } = seat
    if (message.type === 'ping') line?.send({ type: 'pong' })
    else if (message.type === 'leave') {
      take(seat, 'left')
      tell()
    } else if (message.type === 'devices') {
      const { microphone, camera, screen, canCall = true } = message
      seat.devices = { microphone, camera, screen, canCall }
      tell()
    } else {
      const problem = seat.isInside ? perform(seat, message) : 'You are not inside yet.'
      if (problem) line?.send({ type: 'refused', message: problem })
    }
  }

  /** The connection of a page is gone. Who was inside keeps the place for a while. */
  function lose(seat: Seat): void {
    seat.line = undefined
    seat.lostAt = now()
    if (!seat.isInside) take(seat, 'lost')
    else
      seat.keep = later(() => {
        take(seat, 'lost')
        tell()
      })
    tell()
  }

  return {
    /** Somebody opened their link. Undefined if the room is full. Who comes again gets the same place, from whatever page. */
    enter(arrival: Arrival): { receive(message: Received): void; lose(): void } | undefined {
      const seat = takeSeat(arrival)
      if (!seat) return undefined
      tell()
      const isCurrent = () => seat.line === arrival.line
      return {
        receive: (message) => void (isCurrent() && receive(seat, message)),
        lose: () => void (isCurrent() && lose(seat)),
      }
    },
    /** Takes out everybody for whom this function has a reason. */
    takeOut(reasonFor: (owner: LinkOwner) => Reason | undefined): void {
      let isChanged = false
      for (const seat of all()) {
        const reason = reasonFor(seat.owner)
        if (!reason) continue
        isChanged = true
        take(seat, reason)
      }
      if (isChanged) tell()
    },
  }
}
