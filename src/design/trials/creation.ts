/** Creates trials, and shows a trial. */

import { armsVisibleTo } from '#access/armConcealmentStore'
import { holds, type Staff } from '#access/caller'
import type { RequestContext } from '#http/operation'
import type { Services, TimelineUpdate } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { HOUR } from '#kernel/time'
import { startBoard } from './board'
import { copyConfiguration } from './copyStore'
import type { TrialCreation } from './model'
import { codeFrom, fieldsOf, newSettings } from './rules'
import { trialVisibleTo } from './scope'
import { countsOf, grantOnTrial, insertTrial, type Trial, type TrialCounts, trialByCode } from './store'

/**
 * A trial as the API shows it: its configuration and counts, and whether it has a password, never the password. The timelines
 * are never reported as being recalculated, because a new trial has none.
 */
export function shownTrial(
  { storage, clock, db }: Pick<Services, 'storage' | 'clock' | 'db'>,
  trial: Trial,
  counts?: TrialCounts,
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

type TrialInput = {
  team: Id
  user: Id
  name: string
  description: string | null
  restrictRegistration: boolean
  /** It gets its lanes for tasks from another trial. */
  isCopy?: boolean
}

/** Adds a trial with a unique code and lanes for tasks. The user who creates it gets trial.admin. */
export function addTrial(
  context: Pick<RequestContext, 'db' | 'now' | 'id'>,
  { user, isCopy, ...given }: TrialInput,
): Trial {
  const { db, now, id } = context
  const _id = id()
  const code = codeFrom(given.name, (code) => trialByCode(db, code) !== undefined, _id.slice(-6))
  const trial = insertTrial(db, { _id, createdAt: now, code, settings: { ...newSettings }, ...given })
  grantOnTrial(db, user, _id, ['trial.admin'])
  if (!isCopy) startBoard(context, _id)
  return trial
}

/** A new trial; if it is a copy, with the trial that it was copied from and counts of what was copied. */
export type NewTrial = { trial: Trial; copy?: { copyFrom: Id; copied: Record<string, number> } }

export type CreationContext = Pick<RequestContext<Staff>, 'services' | 'db' | 'now' | 'id' | 'caller'> & {
  team: { _id: Id }
}

/**
 * Adds a trial: empty, or a copy of the configuration of another. 422 without a name; 404 and 403 for a
 * trial to copy that the caller cannot see, or cannot read.
 */
export function newTrial(
  context: CreationContext,
  { name, prompt, files, copyFrom, ...body }: TrialCreation,
): NewTrial {
  const { services, db, now, id, caller, team } = context
  for (const [field, value] of Object.entries({ prompt, files })) {
    if (value !== undefined)
      throw refuse.invalid({ [field]: [reason('onlyWithCreationType', { creationType: 'build' })] })
  }
  if (name === undefined) throw refuse.invalid({ name: [reason('missing')] })
  const source = copyFrom === undefined ? undefined : sourceOf(context, copyFrom)
  const { description = source?.trial.description ?? null, restrictRegistration = true } = body
  const user = caller.user._id
  const given = { team: team._id, user, name, description, restrictRegistration }
  const trial = addTrial(context, { ...given, isCopy: source !== undefined })
  if (!source) return { trial }
  const { trial: original, withArms } = source
  const copying = { now, id, user, link: services.storage.link, withArms }
  const copied = copyConfiguration(db, original, trial, copying)
  return { trial, copy: { copyFrom: original._id, copied } }
}

/** The trial to copy, by the rules of reading it: 404 if the caller cannot see it, 403 without the right to its configuration. */
function sourceOf(context: Parameters<typeof trialVisibleTo>[0], id: Id): { trial: Trial; withArms: boolean } {
  const { trial, access } = trialVisibleTo(context, id)
  if (!holds(access, 'read')) throw refuse.missingPermission(['trial.read'])
  return { trial, withArms: armsVisibleTo(access) }
}
