import { id, orNull, shape, type ValueOf, whole } from '#wire/schema'

/** The input of the job that asks for a text: about a participant, or about the whole trial. `at`: the moment of the numbers. */
export const InsightTask = shape({ trial: id(), participant: orNull(id()), at: whole(0) })
export type InsightTask = ValueOf<typeof InsightTask>
