import type { Work } from '#jobs/work'
import { computeInsights } from './compute'
import type { InsightRow } from './store'
import type { ComputeTask } from './task'

/** The work of the job, on a worker thread. */
export const computeWork: Work<ComputeTask, { rows: InsightRow[] }> = ({ trial, at }, { db, progress }) => ({
  rows: computeInsights(db, trial, at, progress),
})
