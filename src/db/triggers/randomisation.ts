/** Triggers that keep a sealed randomisation and its allocations as they are. */
import { IN_TRIAL, refuseDeletions, refuseUpdates, rowExists } from './builders'

const SEALED = 'a sealed randomisation is not changed'
const ALLOCATIONS = 'allocations are not changed'
const DISPENSATIONS = 'dispensations are not changed'
const isSealed = (randomisation: string) =>
  `EXISTS (SELECT 1 FROM randomisations WHERE _id = ${randomisation} AND status <> 'draft')`

/** What was sealed, and what came of it, can be deleted only with the trial; allocations, dispensations and unblindings with the participant too. */
export const randomisationTriggers: readonly string[] = [
  refuseUpdates('randomisations', SEALED, {
    of: '_id, createdAt, createdBy, trial, name, method, isBlinded, blockSizes, listLength, factors, preferredPercent, eligibility, seed, list, nonce, commitment, sealedAt, sealedBy',
    when: "OLD.status <> 'draft'",
  }),
  refuseUpdates('randomisations', SEALED, {
    name: 'randomisationsStayClosed',
    of: 'status, closedAt, unblindedAt',
    when: `OLD.closedAt IS NOT NULL AND (NEW.status <> OLD.status OR NEW.closedAt IS NOT OLD.closedAt
    OR (OLD.unblindedAt IS NOT NULL AND NEW.unblindedAt IS NOT OLD.unblindedAt))`,
  }),
  refuseDeletions('randomisations', SEALED, `OLD.status <> 'draft' AND ${IN_TRIAL}`),
  refuseUpdates('randomisationArms', SEALED, {
    of: '_id, trial, randomisation, "index", name, ratio, "group", packType',
    when: isSealed('OLD.randomisation'),
  }),
  refuseDeletions('randomisationArms', SEALED, `${isSealed('OLD.randomisation')} AND ${IN_TRIAL}`),
  refuseUpdates('randomisationDispensing', SEALED, { when: isSealed('OLD.randomisation') }),
  refuseDeletions('randomisationDispensing', SEALED, `${isSealed('OLD.randomisation')} AND ${IN_TRIAL}`),
  refuseUpdates('randomisationLists', SEALED),
  refuseDeletions('randomisationLists', SEALED, `${isSealed('OLD.randomisation')} AND ${IN_TRIAL}`),
  refuseUpdates('allocations', ALLOCATIONS),
  refuseDeletions('allocations', ALLOCATIONS, `${IN_TRIAL} AND ${rowExists('participants', 'OLD.participant')}`),
  refuseUpdates('dispensations', DISPENSATIONS),
  refuseDeletions('dispensations', DISPENSATIONS, `${IN_TRIAL} AND ${rowExists('participants', 'OLD.participant')}`),
  refuseUpdates('dispensedPacks', DISPENSATIONS),
  refuseDeletions('dispensedPacks', DISPENSATIONS, `${IN_TRIAL} AND ${rowExists('dispensations', 'OLD.dispensation')}`),
  refuseUpdates('unblindings', 'unblindings are not changed'),
  refuseDeletions(
    'unblindings',
    'unblindings are kept',
    `${IN_TRIAL} AND ${rowExists('participants', 'OLD.participant')}`,
  ),
]
