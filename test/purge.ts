/** For tests of what a deletion takes with it: what is deleted is purged at once, as in a team that keeps nothing. */
import { teams } from '#db/tables/index'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import { trialsToPurge } from '#exchange/deletions/trialStore'
import type { Id } from '#kernel/id'
import type { Service } from '#server/service'
import type { World } from './harness'

/** What is deleted from now on is kept for the usual 30 days: other worlds keep nothing. */
export const keepDeleted = ({ db }: Pick<World, 'db'>): void =>
  void db.update(teams).set({ deletionGraceDays: 30 }).run()

export const keepNothing = ({ db }: Pick<World, 'db'>): void =>
  void db.update(teams).set({ deletionGraceDays: 0 }).run()

/** Purges the trials whose team keeps nothing, as the background does within seconds. A study record may be written before. */
export async function purgeDue({ services }: Pick<Service, 'services'>): Promise<void> {
  for (let n = 0; n < 5000 && trialsToPurge(services.db, services.clock.now(), 1).length; n++) {
    await purgeTrials(services, services.clock.now()).catch((reason) => services.fault(reason, 'what was deleted'))
    await Bun.sleep(1)
  }
}

/** Deletes a trial, and waits until it is purged. */
export async function purgeTrial(here: Pick<World, 'db' | 'owner'>, trial: Id): Promise<void> {
  keepNothing(here)
  await here.owner.do('deleteTrial', trial) // whose sender waits for the purge
}
