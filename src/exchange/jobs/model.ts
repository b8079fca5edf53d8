import { anything, described, keyed, oneOf, orNull, shape, text } from '#wire/words'

/** See docs/contract.md, "Jobs". */
export const Job = shape({
  status: oneOf('pending', 'done', 'error'),
  progress: described('How far it is, in words.', text(0, 10_000)),
  result: described('What it produced, once done.', orNull(keyed(anything()))),
  error: described('Why it failed, where it did.', orNull(text(0, 10_000))),
})
