import { shape, type ValueOf, whole } from '#wire/schema'

/** The input of the job: it asks about at most `limit` submissions after the one with this number. */
export const AskTask = shape({ after: whole(0), limit: whole(1) })
export type AskTask = ValueOf<typeof AskTask>
