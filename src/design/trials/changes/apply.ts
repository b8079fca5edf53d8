/** Performs an update of a trial that was checked, and records it. */
import { changeWithoutHiddenUses } from '#design/configuration/hiddenUses'
import type { SecondPersonEvent } from '#design/secondRequests/rules'
import type { TrialUpdate } from '#design/trials/rules'
import { type Trial, updateTrial } from '#design/trials/store'
import { updateEvent } from './change'
import { type RecordContext, recordLockChanges } from './locks'

type ApplyContext = RecordContext & Parameters<typeof changeWithoutHiddenUses>[0] & { trial: Trial }

/**
 * Returns the trial after it. @param password its new hash; null removes it, undefined leaves it as it is
 * @param second who asked for it, if it needed a second person
 */
export function applyUpdate(
  context: ApplyContext,
  update: TrialUpdate,
  password: string | null | undefined,
  second?: SecondPersonEvent,
): Trial {
  const { db, trial, record } = context
  const after = changeWithoutHiddenUses(context, () => updateTrial(db, trial, update.change, password))
  recordLockChanges(context, after, update.lockChanges, second)
  const event = updateEvent(update, after)
  if (event) record({ ...(second && { type: 'updateTrial' }), event: { ...event, ...second } })
  return after
}
