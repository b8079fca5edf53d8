import { anything, keyed, oneOf, orNull, shape, text, withDescription } from '#wire/words'

/** See docs/contract.md, "Jobs". */
export const Job = shape({
  status: oneOf('pending', 'done', 'error'),
  progress: withDescription('How far it is, in words.', text(0, 10_000)),
  result: withDescription('What it produced, once done.', orNull(keyed(anything()))),
  error: withDescription('Why it failed, where it did.', orNull(text(0, 10_000))),
})
