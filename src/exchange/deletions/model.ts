/** What was deleted and can be restored (docs/participants.md, "Deletion"). */
import { flag, id, instant, list, maybe, oneOf, orNull, shape, text, whole, withDescription } from '#wire/schema'

const Deletion = shape('Deletion', {
  _id: id(),
  createdAt: instant(),
  kind: oneOf('trial', 'participant', 'response', 'site', 'file'),
  subject: id('The `_id` of what was deleted'),
  name: withDescription(
    'The ID of a participant or a site; the name of a trial, a file, or the stage of a response',
    text(0, 500),
  ),
  reason: orNull(text(0, 500)),
  deletedBy: id('The account that deleted it'),
  deletedByEmail: text(0, 200),
  apiKey: withDescription('The API key that it was deleted with; null if none', orNull(id())),
  request: id('Deletions of one request have the same'),
  restorableUntil: instant(),
  purgeAskedBy: withDescription(
    'The administrator who asked for an earlier purge; null if no purge was asked for',
    orNull(id()),
  ),
  purgeAskedAt: orNull(instant()),
})

export const Deletions = shape('Deletions', {
  deletions: list(Deletion),
  nextPage: withDescription('The value of `before` for the next page; null if this is the last', orNull(id())),
})

export const PAGE = 100

export const DeletionsQuery = shape({
  before: maybe(id('Only deletions before this one')),
  perPage: maybe(whole(1, 1000)),
})

export const Restoration = shape('Restoration', {
  reason: withDescription('The reason, which the audit trail keeps', text(1, 500)),
})

export const Restored = shape('Restored', {
  _id: id('What was restored'),
  kind: oneOf('trial', 'participant', 'response', 'site', 'file'),
  name: withDescription('Of a participant or a trial, it is another one if theirs is in use', text(0, 500)),
})

export const PurgeRequest = shape('PurgeRequest', {
  reason: withDescription(
    'The reason, which the audit trail keeps. `erasure`: the participant asked for it; then no confirmation is needed.',
    text(1, 500),
  ),
})

export const PurgeAnswer = shape('PurgeAnswer', {
  isPurged: withDescription('False: another administrator must confirm it', flag()),
})
