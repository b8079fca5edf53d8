import { trialById } from '#design/trials/store'
import { type Job, type JobServices, workerKind } from '#jobs/kind'
import type { Id } from '#kernel/id'
import { found } from '#kernel/problem'
import { type InsightRow, replaceInsights } from './store'
import { ComputeTask } from './task'

/** Keeps what was computed, in a transaction. @throws 404 if the trial was deleted meanwhile */
export function storeInsights({ db }: Pick<JobServices, 'db'>, trial: Id, rows: readonly InsightRow[]) {
  found(trialById(db, trial), 'trial')
  replaceInsights(db, trial, rows)
  return { computedAt: rows[0]!.computedAt }
}

/** Computes the insights on a trial and its sites. */
export const computeInsights = workerKind({
  kind: 'computeInsights',
  lane: 'exports', // it never waits for an AI endpoint
  input: ComputeTask,
  work: async () => (await import('./work')).computeWork,
  finish: (services, { input }: Omit<Job, 'input'> & { input: ComputeTask }, { rows }: { rows: InsightRow[] }) =>
    storeInsights(services, input.trial, rows),
})
