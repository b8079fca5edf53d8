import { list, orNull, shape, text } from '#wire/words'

/** What somebody sees after they answered the form that follows their consent. */
export const ScreeningReceipt = shape('ScreeningReceipt', {
  postSubmissionText: orNull(text(0, 3000)),
  onScreenMessages: list(text(0, 3000)),
})
