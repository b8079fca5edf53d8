import { anything, keyed, oneOf, orNull, shape, text, withDescription } from '#wire/schema'

/** See docs/contract.md, "Jobs". */
export const Job = shape('Job', {
  status: oneOf('pending', 'done', 'error'),
  progress: withDescription('Its progress, as a sentence.', text(0, 10_000)),
  result: withDescription('The result, if it is done.', orNull(keyed(anything()))),
  error: withDescription('Why it failed, if it did.', orNull(text(0, 10_000))),
})
