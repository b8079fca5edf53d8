import type { Work } from '#jobs/work'
import { computeInsights } from './compute'
import type { KeptRow } from './store'
import type { ComputeTask } from './task'

/** The work of the job, on a worker thread. */
export const computeWork: Work<ComputeTask, { rows: KeptRow[] }> = ({ trial, at }, { db, progress }) => ({
  rows: computeInsights(db, trial, at, progress),
})
