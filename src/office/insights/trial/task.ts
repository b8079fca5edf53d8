import { id, shape, type ValueOf, whole } from '#wire/schema'

/** The input of the job that computes the insights on a trial at the moment `at`. */
export const ComputeTask = shape({ trial: id(), at: whole(0) })
export type ComputeTask = ValueOf<typeof ComputeTask>
