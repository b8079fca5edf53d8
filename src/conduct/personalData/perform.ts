/** Performs erasures: in the database, and of files after the commit. */
import type { Author } from '#conduct/responses/events'
import { withSecureDelete } from '#db/secureDelete'
import { configuration } from '#design/configuration/configuration'
import { writerOf } from '#design/trials/notices'
import type { SharedTrial } from '#design/trials/store'
import { removeFiles } from '#jobs/fileRemoval'
import type { ErasureContext, ErasureEvent } from './erase'

type PerformContext = Parameters<typeof removeFiles>[0] & { now: number; trial: SharedTrial }

/** Erases in the database, and removes the files after the commit. Returns what the audit entry keeps. */
export function performErasure(
  context: PerformContext,
  by: Author,
  act: (erasure: ErasureContext) => { event: ErasureEvent; files: string[] },
): ErasureEvent {
  const { db, now, trial } = context
  const erased = writerOf(trial, null).write('erased', {}) // for all who read it: in the trial's language
  const { event, files } = withSecureDelete(db, () =>
    act({ db, now, by, configuration: configuration(db, trial), erased }),
  )
  removeFiles(context, files)
  return event
}
