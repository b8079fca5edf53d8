import { type Of, shape, whole } from '#wire/words'

/** Asks about at most `limit` submissions after this one. */
export const AskTask = shape({ after: whole(0), limit: whole(1) })
export type AskTask = Of<typeof AskTask>
