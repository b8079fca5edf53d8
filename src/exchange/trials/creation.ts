/** A new trial, and a trial as it is shown. */

import { startBoard } from '#conduct/tasks/board'
import type { TimelineUpdate } from '#conduct/timeline/recalculation'
import { codeFrom, fieldsOf } from '#design/trials/rules'
import { type Counts, countsOf, grant, insertTrial, type Trial, trialByCode } from '#design/trials/store'
import type { Asked } from '#http/operation'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { HOUR } from '#kernel/time'

/**
 * A trial as it is shown: its configuration and counts, and whether it has a password, never the password. Nobody's timeline
 * is said to be behind, as none is in a new trial.
 */
export function shown(
  { storage, clock, db }: Pick<Services, 'storage' | 'clock' | 'db'>,
  trial: Trial,
  counts?: Counts,
) {
  const { _id, createdAt, team, dataTypeCount, stageCount } = trial
  const fields = fieldsOf(trial)
  const { sponsorLogo: logo } = fields
  return {
    ...{ _id, createdAt, team, dataTypeCount, stageCount },
    ...fields,
    passwordSet: trial.passwordHash !== null,
    sponsorLogoUrl: logo && storage.downloadUrl(logo, logo, clock.now() + HOUR),
    ...(counts ?? countsOf(db, trial, 'all')),
    timelineUpdate: null as TimelineUpdate | null,
  }
}

type Beginning = {
  team: Id
  user: Id
  name: string
  description: string | null
  restrictRegistration: boolean
  /** Its lanes of tasks are those of another trial. */
  isCopy?: boolean
}

/** Adds a trial with a code of its own and lanes for tasks, on which whoever creates it holds trial.admin. */
export function addTrial(asked: Pick<Asked, 'db' | 'now' | 'id'>, { user, isCopy, ...given }: Beginning): Trial {
  const { db, now, id } = asked
  const _id = id()
  const code = codeFrom(given.name, (code) => trialByCode(db, code) !== undefined, _id.slice(-6))
  const trial = insertTrial(db, { _id, createdAt: now, code, ...given })
  grant(db, user, _id, ['trial.admin'])
  if (!isCopy) startBoard(asked, _id)
  return trial
}
