import { type Of, shape, whole } from '#wire/words'

/** The submissions after this one, at most so many. */
export const AskTask = shape({ after: whole(0), limit: whole(1) })
export type AskTask = Of<typeof AskTask>
