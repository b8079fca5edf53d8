/** Keeps the insights on trials up to date (docs/insights.md, "Insights on a trial"). */
import type { Services } from '#http/services'
import { perform } from '#jobs/perform'
import type { Instant } from '#kernel/time'
import { computeInsights, storeInsights } from './job'
import { nextTrialToCompute } from './store'

/** Makes a function for the background timer. It has one trial at a time computed by a worker, and does not wait for the result. */
export function createInsightUpdater({ db }: Services): (services: Services, now: Instant) => Promise<boolean> {
  let isComputing = false
  async function compute(services: Services, trial: string, at: Instant): Promise<void> {
    const { rows } = await perform(services, computeInsights, { trial, at })
    await services.commit((): unknown => storeInsights(services, trial, rows))
  }
  return async (services, now) => {
    const trial = isComputing ? undefined : nextTrialToCompute(db, now)
    if (!trial) return false
    isComputing = true
    void compute(services, trial, now)
      .catch((reason) => services.fault(reason, 'insights on trials'))
      .finally(() => {
        isComputing = false
      })
    return false
  }
}
