import { remainingPlaces } from '#conduct/participants/store'
import { configuration } from '#design/configuration/configuration'
import { trialById } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { IdsByName } from './build'
import { people } from './people'
import { simulatePerson } from './personCourse'

export type FillInput = { trial: Id; names: IdsByName; user: { _id: Id; email: string }; now: Instant }

/**
 * Adds the people to a new demo study, each with all their data in a commit of its own of a few
 * milliseconds, so that other requests do not wait. Ends early if the trial was changed or deleted meanwhile, or if the
 * team's limit of participants is reached. After a stop of the server the study has fewer people, each complete. Never rejects.
 */
export async function fillStudy(services: Services, { trial: _id, names, user, now }: FillInput): Promise<void> {
  const { db, commit } = services
  const revision = trialById(db, _id)?.revision
  try {
    for (const n of people().keys()) {
      const isAdded = await commit(() => {
        const trial = trialById(db, _id)
        if (!trial || trial.revision !== revision || trial.isDatabaseLocked || remainingPlaces(db, trial.team) === 0)
          return false
        // Made again, because the random numbers must restart when a transaction is repeated.
        const person = people()[n]!
        simulatePerson(
          { db, now, writtenAt: services.clock.now(), trial, configuration: configuration(db, trial), names, user },
          person,
        )
        services.recalculateTimelines(services.clock.now(), { trial })
        return true
      })
      if (!isAdded) return
    }
  } catch (reason) {
    services.fault(reason, 'demo trial')
  }
}
