/** What browsers and the server say to each other in the room of a meeting (docs/meetings.md, "The connection"). */
import { isObject } from '#kernel/json'
import { at, type CodedReason, coded, placedText, type Reason, reason } from '#kernel/refusals/reason'
import { textFaults } from '#kernel/text'
import { checker } from '#wire/check'
import { either, flag, maybe, oneOf, orNull, shape, text, textWithSpaces, type ValueOf, whole } from '#wire/schema'

/** The most bytes of a message: a description of everything that a browser can send has less than 20,000. */
const MOST_BYTES = 64 * 1024
/** The most characters of a message in the chat. */
const MOST_CHAT = 1000

/** A page has a name that its browser made, and each person in the room an id that the server made. */
const name = () => text(1, 40, { pattern: '^[\\w-]+$' })
/** Descriptions and candidates are lines that end with a line break: nothing may be cut off. */
const lines = (most: number) => textWithSpaces(0, most)

const description = shape({ type: oneOf('offer', 'answer'), sdp: lines(MOST_BYTES) })
const candidate = shape({
  candidate: lines(2000),
  sdpMid: orNull(lines(100)),
  sdpMLineIndex: orNull(whole(0, 100)),
  usernameFragment: orNull(lines(300)),
})

/** What each person says of their devices. */
const devices = { microphone: flag(), camera: flag(), screen: flag(), canCall: maybe(flag()) }

const models = {
  /** What two browsers need to find each other. The server passes it on, and neither reads nor keeps it. */
  signal: shape({
    to: name(),
    /** The page of the other person that is meant: a later one knows nothing of it. */
    page: name(),
    /** Counts the connections between two pages. */
    call: whole(0, 1_000_000),
    signal: either(
      shape({ description }),
      shape({ candidate }),
      // Asks the other side for new candidates, or for a new connection.
      shape({ please: oneOf('restart', 'renew') }),
    ),
  }),
  devices: shape(devices),
  chat: shape({ text: text(1, MOST_CHAT) }),
  admit: shape({ person: name() }),
  decline: shape({ person: name() }),
  remove: shape({ person: name() }),
  end: shape({}),
  leave: shape({}),
  ping: shape({}),
} as const

type Models = typeof models
export type MessageType = keyof Models
/** A message of a browser. */
export type ClientMessage = { [T in MessageType]: { type: T } & ValueOf<Models[T]> }[MessageType]
/** `canCall`: false for a browser that knows no WebRTC. Its owner reads and writes. */
export type Devices = { microphone: boolean; camera: boolean; screen: boolean; canCall: boolean }

/** Somebody in the room, as the others see them. `isHere`: false while their connection is lost. */
export type Person = {
  id: string
  page: string
  kind: 'participant' | 'staff'
  name: string
  isHere: boolean
} & Devices

/** Why somebody is not in the room any more. */
export type LeaveReason = 'left' | 'lost' | 'declined' | 'removed' | 'ended' | 'over' | 'cancelled' | 'link' | 'stopped'

/** A message of the server. */
export type ServerMessage =
  /** The room as it is now, after each change. A person who waits is only told whether a member of the team is there. */
  | {
      type: 'room'
      you: string
      isInside: boolean
      isTeamHere: boolean
      people: readonly Person[]
      waiting: readonly { id: string; name: string }[]
    }
  | {
      type: 'signal'
      from: string
      page: string
      call: number
      signal: Extract<ClientMessage, { type: 'signal' }>['signal']
    }
  | { type: 'chat'; from: string; name: string; text: string }
  /** What was sent is not possible: it changed nothing. */
  | { type: 'refused'; message: string; details: CodedReason }
  | { type: 'closed'; reason: LeaveReason | 'full' | 'elsewhere' | 'tooMany' }
  | { type: 'pong' }

const isType = (type: unknown): type is MessageType => typeof type === 'string' && Object.hasOwn(models, type)

/** Says that what was sent is not possible. */
export const refusedMessage = (why: Reason): ServerMessage => ({
  type: 'refused',
  message: placedText(why),
  details: coded(why),
})

/** Reads a message; a reason says what is wrong with one that cannot be read. */
export function readMessage(content: string): { message: ClientMessage } | { problem: Reason } {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch {
    return { problem: reason('messageNotJson') }
  }
  if (!isObject(value) || !isType(value.type)) return { problem: reason('messageTypeUnknown') }
  const { type, ...rest } = value
  const result = checker(models[type])(rest)
  if (result.problems) {
    const [first] = Object.entries(result.paths)
    return { problem: first ? at(...first) : reason('notValid') }
  }
  // Now it is not nested deeper than its model.
  const [fault] = textFaults(rest, 1)
  if (fault) return { problem: at(fault.path.join('.'), fault.problem) }
  return { message: { type, ...rest } as ClientMessage }
}
