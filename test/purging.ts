/** For tests of what a deletion takes with it: what is deleted is purged at once, as in a team that keeps nothing. */
import { teams } from '#db/tables/index'
import { purgeTrials } from '#exchange/deletions/trialPurge'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import type { World } from './harness'
import { present } from './present'
import { until } from './until'

/** What is deleted from now on is kept for the usual 30 days: other worlds keep nothing. */
export const keepDeleted = ({ db }: Pick<World, 'db'>): void =>
  void db.update(teams).set({ deletionGraceDays: 30 }).run()

export const keepNothing = ({ db }: Pick<World, 'db'>): void =>
  void db.update(teams).set({ deletionGraceDays: 0 }).run()

/** Purges the trials that were deleted. A study record may be written before. */
export const purged = ({ db, service, now }: Pick<World, 'db' | 'service' | 'now'>): Promise<void> =>
  until(async () => {
    await purgeTrials(service.services, present(parseInstant(now())))
    return db.$client.query('SELECT 1 FROM trials WHERE deletedAt IS NOT NULL').get() === null
  })

/** Deletes a trial, and waits until it is purged. */
export async function purgeTrial(here: Pick<World, 'db' | 'owner' | 'service' | 'now'>, trial: Id): Promise<void> {
  keepNothing(here)
  await here.owner.delete(`/trials/${trial}`)
  await purged(here)
}
