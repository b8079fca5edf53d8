import { holds, sightOf } from '#access/caller'
import { featuresOf } from '#access/features'
import { confirmed } from '#access/fresh'
import { team } from '#accounts/teams/scope'
import { hashPassword } from '#accounts/users/passwords'
import { changes } from '#audit/changes'
import { timelineUpdate } from '#conduct/timeline/recalculation'
import { takeVersion } from '#design/configurationVersions/take'
import { copyConfiguration } from '#design/trials/copyStore'
import { deleteTrial } from '#design/trials/deletionStore'
import { TrialChange, TrialCreation, Trial as TrialModel, TrialSummaries } from '#design/trials/model'
import {
  codeText,
  configurationIn,
  differing,
  featuresFor,
  fieldsOf,
  looseReasons,
  type Turn,
  turnsOf,
} from '#design/trials/rules'
import { trial, trialSeenBy } from '#design/trials/scope'
import { countsOf, type Trial, trialById, trialsOf, updateTrial } from '#design/trials/store'
import { buildStudy } from '#exchange/demo/build'
import { fillStudy } from '#exchange/demo/fill'
import { study } from '#exchange/demo/study'
import { JobStarted } from '#exchange/generation/model'
import { startBuilding } from '#exchange/generation/start'
import { startDataset } from '#exchange/studyRecord/start'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { either, flag, maybe, oneOf, shape } from '#wire/words'
import { addTrial, shown } from './creation'
import { checkReferences, requireSignatures } from './references'

const listTrials = operation({
  method: 'GET',
  path: '/teams/:teamId/trials',
  summary: 'List the trials of a team',
  description: 'Those the caller can open; archived ones only when asked for.',
  scope: team,
  limit: 10,
  query: shape({ includeArchived: maybe(flag()) }),
  returns: TrialSummaries,
  run: ({ db, team, caller, query }) => {
    const seen = trialsOf(db, team._id, caller.trials.keys(), query.includeArchived ?? false)
    return { trials: seen.map((each) => ({ ...each, ...countsOf(db, each, sightOf(caller.trials.get(each._id)!)) })) }
  },
})

const createTrial = operation({
  method: 'POST',
  path: '/teams/:teamId/trials',
  summary: 'Create a trial',
  description:
    'The creator receives trial.admin on it. `copyFrom` copies the configuration of a trial: settings, data types, ' +
    'stages, anchors, groups, sites, roles and task lanes; no person, participant, password or lock. `creationType=demo` ignores the ' +
    'body and sets up a made-up study to look around in; its participants and their data follow within seconds. ' +
    '`creationType=build` makes a trial from a prompt and uploaded documents: a job whose result is the trial.',
  scope: team,
  needs: 'trials.create',
  limit: 5,
  logs: 'createTrial',
  body: TrialCreation,
  query: shape({ creationType: maybe(oneOf('demo', 'build')) }),
  ignoresBody: ({ creationType }) => creationType === 'demo',
  returns: either(TrialModel, JobStarted),
  run: (asked) => {
    const { services, db, now, id, caller, team, query, record, after: afterwards } = asked
    const { creationType } = query
    if (creationType === 'build') return startBuilding(asked, asked.body)
    const body = creationType === 'demo' ? study.trial : asked.body
    const { name, prompt, files }: TrialCreation = body
    for (const [field, value] of Object.entries({ prompt, files })) {
      if (value !== undefined) throw refuse.invalid({ [field]: ['Goes with creationType=build only.'] })
    }
    if (name === undefined) throw refuse.invalid({ name: ['Missing data for required field.'] })
    const source = body.copyFrom === undefined ? undefined : readable(asked, body.copyFrom)
    const { description = source?.description ?? null, restrictRegistration = true } = body
    const beginning = { team: team._id, user: caller.user._id, name, description, restrictRegistration }
    const target = addTrial(asked, { ...beginning, isCopy: source !== undefined })
    const { _id } = target
    const { link } = services.storage
    const copied = source && copyConfiguration(db, source, target, { now, id, user: caller.user._id, link })
    if (creationType === 'demo') {
      const names = buildStudy({ db, now, trial: target, user: caller.user._id, id, record })
      afterwards(() => void fillStudy(services, { trial: _id, names, user: caller.user, now }))
    }
    const after = trialById(db, _id)!
    const event = {
      trialId: _id,
      creationType,
      after: fieldsOf(after),
      ...(source && { copyFrom: source._id, copied }),
    }
    record({ chain: _id, event })
    return shown(services, after)
  },
})

/** The trial to copy: as for anyone who reads it, 404 where it is not seen and 403 where its configuration is not. */
function readable(asked: Parameters<typeof trialSeenBy>[0], id: string): Trial {
  const { trial, access } = trialSeenBy(asked, id)
  if (!access || !holds(access, 'read')) throw refuse.lacking(['trial.read'])
  return trial
}

const readTrial = operation({
  method: 'GET',
  path: '/trials/:trialId',
  summary: 'Read the configuration and counts of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: TrialModel,
  run: ({ services, db, caller, trial, access }) => ({
    ...shown(services, trial, countsOf(db, trial, sightOf(access!))),
    timelineUpdate: timelineUpdate(db, trial._id, caller.user._id, access!),
  }),
})

const editTrial = operation({
  method: 'PUT',
  path: '/trials/:trialId',
  summary: 'Change a trial',
  description:
    'Turning a lock needs trial.admin, a justification, and an identity confirmed in the web app within five minutes. ' +
    'A locked trial refuses every other change but archiving; sending back a value as it is changes nothing.',
  scope: trial,
  needs: 'trial.write',
  logs: 'updateTrial',
  body: TrialChange,
  returns: TrialModel,
  prepare: async ({ body: { password } }) => (password == null ? password : await hashPassword(password)),
  run: (asked) => {
    const { services, db, now, caller, trial, access, body, prepared, record } = asked
    const { password, ...given } = body
    const before = fieldsOf(trial)
    const change = differing(before, { ...given, code: given.code && codeText(given.code) })
    const turns = turnsOf(change)
    if (turns.length) confirmed(caller, now)
    if (turns.length && !holds(access!, 'admin')) throw refuse.lacking(['trial.admin'])
    justified(turns, body)
    const passwordChanged = prepared !== undefined && !(prepared === null && trial.passwordHash === null)
    const configuration = configurationIn([...Object.keys(change), ...(passwordChanged ? ['password'] : [])])
    for (const feature of featuresFor(change)) if (!featuresOf(db, trial.team)[feature]) throw refuse.feature(feature)
    if (trial.isLocked && configuration.length) throw refuse.configurationLocked()
    const [loose] = looseReasons(change)
    if (loose) throw refuse.bad(`${loose} belongs to turning its lock on or off.`)
    checkReferences(db, trial, change)
    if (change.isDatabaseLocked && (before.signaturesRequiredForLock || change.signaturesRequiredForLock)) {
      requireSignatures(db, trial)
    }
    const after = updateTrial(db, trial, change, prepared)
    for (const { type, reason, on } of turns) {
      const justification = body[reason]!
      record({ type, event: { justification, ...(on && lockedAs(asked, after, on, justification)) } })
    }
    const told = changes(before, fieldsOf(after))
    const rest = [...configuration, ...('isArchived' in change ? ['isArchived'] : [])]
    if (rest.length || !turns.length) record({ event: { ...told, ...(passwordChanged && passwordEvent(after)) } })
    return {
      ...shown(services, after),
      // Asked for when the answer is written: only then has the act been settled.
      get timelineUpdate() {
        return timelineUpdate(db, trial._id, caller.user._id, access!)
      },
    }
  },
})

/** What a lock leaves behind it: a configuration version (specification, "Trial locks"), and of a database its record. */
function lockedAs(asked: Parameters<typeof startDataset>[0], trial: Trial, on: NonNullable<Turn['on']>, note: string) {
  const { version } = takeVersion(asked, trial, on, note)
  if (on === 'databaseLock') startDataset(asked, trial, version.number)
  return { configurationVersion: version.number, hash: version.hash }
}

/** That a password changed is told; what it is, is not. */
const passwordEvent = (after: Trial) => ({ password: after.passwordHash === null ? 'removed' : 'set' })

/** Refuses with 422 a lock that turns without a justification of its own. */
function justified(turns: readonly Turn[], body: TrialChange): void {
  const missing = turns.filter(({ reason }) => body[reason] == null)
  if (!missing.length) return
  throw refuse.invalid(Object.fromEntries(missing.map(({ reason }) => [reason, ['Missing data for required field.']])))
}

const removeTrial = operation({
  method: 'DELETE',
  path: '/trials/:trialId',
  summary: 'Delete a trial and everything in it',
  description:
    'A trial that is locked, or whose database is, is not deleted. One entry of the team’s log remembers it.',
  scope: trial,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'deleteTrial',
  returns: shape({}),
  run: ({ services, db, now, trial, record, after }) => {
    if (trial.isLocked) throw refuse.configurationLocked()
    const { files, ...audit } = deleteTrial(db, trial._id, now)
    record({ chain: trial.team, event: { ...gone(trial), ...audit, files: files.length } })
    after(() => {
      for (const file of files) services.storage.remove(file).catch((reason) => services.fault(reason, 'deleted file'))
    })
    return {}
  },
})

const gone = ({ name, code, participantCount, dataTypeCount, stageCount, responseCount }: Trial) => ({
  ...{ name, code, participantCount, dataTypeCount, stageCount, responseCount },
})

export const trialOperations = [listTrials, createTrial, readTrial, editTrial, removeTrial]
