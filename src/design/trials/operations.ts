import { visibleScopeOf } from '#access/caller'
import { team } from '#accounts/teams/scope'
import { hashPassword } from '#accounts/users/passwords'
import { keptEvent, mailDeletion, recordDeletion } from '#design/deletions/keepDeletion'
import { JobStarted } from '#design/generation/model'
import { startTrialBuild } from '#design/generation/start'
import { applyUpdate } from '#design/trials/changes/apply'
import { refuseUpdate } from '#design/trials/changes/change'
import { requireLockRights } from '#design/trials/changes/locks'
import { requireRights } from '#design/trials/changes/rights'
import { askSecondIfNeeded } from '#design/trials/changes/secondPerson'
import { anywhere, operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { byQuery, flag, maybe, oneOf, shape } from '#wire/schema'
import { newTrial, shownTrial } from './creation'
import { contentsOf } from './deletionStore'
import { hideTrial } from './hideTrial'
import { deletionsToFinish, demo } from './hooks'
import { TrialChange, TrialCreation, Trial as TrialModel, TrialSummaries } from './model'
import { fieldsOf, updateOf } from './rules'
import { trial } from './scope'
import { countsOf, type Trial, trialById, trialsOf } from './store'

const listTrials = operation({
  id: 'listTrials',
  method: 'GET',
  path: '/teams/:teamId/trials',
  summary: 'List the trials of a team',
  description: 'Those that the caller can open; archived ones only with `includeArchived`.',
  scope: team,
  needs: 'nothing',
  limit: 10,
  query: shape({ includeArchived: maybe(flag()) }),
  returns: TrialSummaries,
  run: ({ db, team, caller, query }) => {
    const trials = trialsOf(db, team._id, caller.trials.keys(), query.includeArchived ?? false)
    return {
      trials: trials.map((each) => ({ ...each, ...countsOf(db, each, visibleScopeOf(caller.trials.get(each._id)!)) })),
    }
  },
})

const createTrial = operation({
  id: 'createTrial',
  method: 'POST',
  path: '/teams/:teamId/trials',
  summary: 'Create a trial',
  description:
    'The creator receives trial.admin on it. `copyFrom` copies the configuration of a trial: settings, data types, ' +
    'stages, anchors, groups, sites, roles, task lanes and participant resources; no person, participant, password or lock. `creationType=demo` ignores the ' +
    'body and creates a study with invented data to explore; its participants and their data follow within seconds. ' +
    '`creationType=build` makes a trial from a prompt and uploaded documents: a job whose result is the trial.',
  scope: team,
  needs: 'trials.create',
  limit: 5,
  logs: 'createTrial',
  body: TrialCreation,
  query: shape({ creationType: maybe(oneOf('demo', 'build')) }),
  ignoresBody: ({ creationType }) => creationType === 'demo',
  returns: byQuery('creationType', TrialModel, { build: JobStarted }),
  prepare: async ({ services, query }) => (query.creationType === 'demo' ? services.load(demo) : undefined),
  run: (context) => {
    const { services, db, body, query, prepared, record } = context
    const { creationType } = query
    if (creationType === 'build') return startTrialBuild(context, body)
    const { trial, copy } = prepared ? prepared(context) : newTrial(context, body)
    const after = trialById(db, trial._id)!
    record({ chain: trial._id, event: { trialId: trial._id, creationType, after: fieldsOf(after), ...copy } })
    return shownTrial(services, after)
  },
})

const readTrial = operation({
  id: 'readTrial',
  method: 'GET',
  path: '/trials/:trialId',
  summary: 'Read the configuration and counts of a trial',
  scope: trial,
  needs: anywhere('trial.read'),
  returns: TrialModel,
  run: ({ services, db, caller, trial, access }) => ({
    ...shownTrial(services, trial, countsOf(db, trial, visibleScopeOf(access))),
    timelineUpdate: services.timelineUpdate(trial._id, caller.user._id, access),
  }),
})

const editTrial = operation({
  id: 'updateTrial',
  method: 'PUT',
  path: '/trials/:trialId',
  summary: 'Change a trial',
  description:
    'Turning a lock needs trial.admin (that of the database trial.lockDatabase), a justification, and an identity confirmed in the web app within five minutes. ' +
    '`signersOnly`, `blindsAdmins` and `secondPerson` need trial.admin, the latter two a confirmed identity too; what consents do, the limits of codes and the trail of reads need trial.admin. ' +
    'A locked trial refuses every other change except archiving; a value that is sent unchanged is not a change. What `secondPerson` names waits until another person confirms it, and the trial is answered as it was.',
  scope: trial,
  needs: ['trial.write', 'trial.lockDatabase'],
  logs: 'updateTrial',
  body: TrialChange,
  returns: TrialModel,
  prepare: async ({ services, trial, body: { password, isDatabaseLocked } }) => {
    // Nothing changes after the lock.
    if (isDatabaseLocked) await (await services.load(deletionsToFinish))(services, trial._id)
    return password == null ? password : await hashPassword(password)
  },
  run: (context) => {
    const { services, db, caller, trial, access, body, prepared } = context
    const update = updateOf(trial, body, prepared)
    requireLockRights(context, update.lockChanges)
    requireRights(context, update)
    refuseUpdate(db, trial, update)
    const after = askSecondIfNeeded(context, update) ? trial : applyUpdate(context, update, prepared)
    return {
      ...shownTrial(services, after),
      // Read when the response is written: only then is it known which timelines are still to be recalculated.
      get timelineUpdate() {
        return services.timelineUpdate(trial._id, caller.user._id, access)
      },
    }
  },
})

const removeTrial = operation({
  id: 'deleteTrial',
  method: 'DELETE',
  path: '/trials/:trialId',
  summary: 'Delete a trial and everything in it',
  description:
    'Refused while the trial or its database is locked. It is gone for everybody, and kept hidden for a time, in which an admin can restore it. One entry in the log of the team remains; it lists what the trial master file held, with the SHA-256 of each version.',
  scope: trial,
  needs: 'trial.admin',
  changes: 'data',
  logs: 'deleteTrial',
  returns: shape({}),
  run: (context) => {
    const { db, now, trial, record } = context
    if (trial.isLocked) throw refuse.configurationLocked()
    const { masterFile, ...holds } = contentsOf(db, trial._id)
    const { code, isArchived: wasArchived } = trial
    const deletion = recordDeletion(context, { kind: 'trial', subject: trial._id, name: trial.name, code, wasArchived })
    hideTrial(db, trial, now)
    const listed = masterFile.length ? { masterFile } : {}
    record({ chain: trial.team, event: { ...summaryOf(trial), ...holds, ...listed, ...keptEvent(deletion) } })
    mailDeletion(context, [deletion])
    return {}
  },
})

/** The fields of a deleted trial that the log of the team keeps. */
const summaryOf = (trial: Trial) => {
  const { name, code, participantCount, dataTypeCount, stageCount, responseCount } = trial
  return { name, code, participantCount, dataTypeCount, stageCount, responseCount }
}

export const trialOperations = [listTrials, createTrial, readTrial, editTrial, removeTrial] as const
