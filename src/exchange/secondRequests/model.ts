/** Acts that wait for a second person (docs/permissions.md, "A second person"). */
import { secondActs } from '#design/trials/settingsModel'
import { id, instant, list, maybe, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

const SecondRequest = shape('SecondRequest', {
  _id: id(),
  createdAt: instant(),
  act: withDescription('`setting`: acts are taken out of `secondPerson`', oneOf(...secondActs, 'setting')),
  subject: id('The `_id` of the trial, the randomisation, the participant or the consent'),
  participant: withDescription('Whose personal information is to be erased; null for other acts', orNull(id())),
  reason: withDescription('The reason or the justification that was given', orNull(text(0, 500))),
  locks: withDescription('The locks that are to be lifted', list(oneOf('isLocked', 'isDatabaseLocked'))),
  secondPerson: withDescription('The setting as it is to be; null for other acts', orNull(list(oneOf(...secondActs)))),
  askedBy: id('The account that asked'),
  askedByEmail: text(0, 200),
  apiKey: withDescription('The API key that it was asked with; null if none', orNull(id())),
  expiresAt: instant(),
})

export const SecondRequests = shape('SecondRequests', {
  requests: list(SecondRequest),
  nextPage: withDescription('The value of `before` for the next page; null if this is the last', orNull(id())),
})

export const PAGE = 100

export const SecondRequestsQuery = shape({
  before: maybe(id('Only requests before this one')),
  perPage: maybe(whole(1, 1000)),
})
