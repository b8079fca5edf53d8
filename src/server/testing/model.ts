import { Type } from '@sinclair/typebox'
import { id, instant, list, maybe, orNull, shape, text } from '#wire/words'

/** See docs/developers.md, "A server to test against"; exactly one of the two fields. */
export const ClockInput = shape({
  now: maybe(instant()),
  advance: maybe(text(1, 100, { description: 'An ISO 8601 duration such as P3D or PT1H30M.' })),
})

export const ClockNow = shape({ now: instant() })

const TestMessage = shape({
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

export const TestMessages = shape({ messages: list(TestMessage) })

/** What a test server prints when it accepts requests, and returns for a reset. */
export const Announcement = shape({
  url: text(1, 200),
  apiKey: text(1, 100),
  team: id(),
  user: id(),
  email: text(1, 200),
  password: text(1, 200),
})
