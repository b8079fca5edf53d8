import { Type } from '@sinclair/typebox'
import { reason } from '#kernel/refusals/reason'
import { flag, id, instant, list, maybe, orNull, shape, text, withDescription } from '#wire/schema'

/** See docs/developers.md, "A server to test against"; at most one of `now` and `advance`. */
export const ClockInput = shape('ClockInput', {
  now: maybe(instant()),
  advance: maybe(text(1, 100, { description: 'An ISO 8601 duration such as P3D or PT1H30M.' })),
  freeze: maybe(withDescription('true: it stands still from then on; false: it runs on.', flag())),
})

export const ClockNow = shape('ClockNow', { now: instant(), isFrozen: flag() })

export const LimitsState = shape('LimitsState', { on: withDescription('Whether rate limits hold.', flag()) })

/** A name that can stand in a path as it is. */
export const SnapshotInput = shape('SnapshotInput', {
  name: text(1, 100, { pattern: '^[A-Za-z0-9][A-Za-z0-9._-]*$', problem: reason('notFileName') }),
})
export const Snapshot = shape('TestSnapshot', {
  name: text(1, 100),
  now: withDescription('The time of the clock when it was taken.', instant()),
})
export const Snapshots = shape('TestSnapshots', { snapshots: list(Snapshot) })

const TestMessage = shape('TestMessage', {
  _id: id(),
  createdAt: instant(),
  trial: orNull(id()),
  participant: orNull(id()),
  user: orNull(id()),
  channel: text(1, 20),
  recipient: text(0, 2000),
  subject: orNull(Type.String()),
  body: Type.String(),
  status: text(1, 40),
  detail: orNull(Type.String()),
  sentAt: orNull(instant()),
})

export const TestMessages = shape('TestMessages', { messages: list(TestMessage) })

export const OutboxQuery = shape({
  team: maybe(withDescription('Only messages of the trials and the members of this team.', id())),
})

/** What a test server prints when it accepts requests, and returns for a reset and for another world. */
export const Announcement = shape('TestWorld', {
  url: text(1, 200),
  apiKey: text(1, 100),
  team: id(),
  user: id(),
  email: text(1, 200),
  password: text(1, 200),
})
