/** Applies the plan that a worker has read, in the transaction that ends its job. */
import { holds } from '#access/caller'
import { featuresOf } from '#access/features'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { appendEntry } from '#audit/append'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { changeWithoutHiddenUses } from '#design/configuration/hiddenUses'
import type { GenerationTarget, GenerationTask } from '#design/generation/task'
import { addTrial, shownTrial } from '#design/trials/creation'
import { Trial } from '#design/trials/model'
import { fieldsOf } from '#design/trials/rules'
import { trialById } from '#design/trials/store'
import type { GeneratedPlan } from '#exchange/generation/reader/plan'
import type { Job, JobServices } from '#jobs/kind'
import { type Id, newId } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { projector } from '#wire/project'
import { applyGenerated } from './apply'

type GenerationJob = Omit<Job, 'input'> & { input: GenerationTask }

const projectTrial = projector(Trial)

/** Applies the plan. Permissions, features and locks are checked again: they may have changed while the job ran. */
export const finish = (services: JobServices, job: GenerationJob, { plan }: { plan: GeneratedPlan }) => {
  const { into } = job.input
  if (!enabledUser(services.db, job.user)) throw refuse.missingPermission(['trial.write'])
  return 'trial' in into ? addStages(services, job, into.trial, plan) : addBuiltTrial(services, job, into, plan)
}

/** What a plan is applied with: one time for everything that is added. */
const targetOf = ({ db, clock }: JobServices) => {
  const now = clock.now()
  return { db, now, id: () => newId(now) }
}

function addStages(services: JobServices, job: GenerationJob, trialId: Id, plan: GeneratedPlan) {
  const { db } = services
  const trial = found(trialById(db, trialId), 'trial')
  if (!featuresOf(db, trial.team).ai) throw refuse.feature('ai')
  const access = accessOf(db, job.user).trials.get(trialId)
  if (!access || !holds(access, 'write')) throw refuse.missingPermission(['trial.write'])
  if (trial.isLocked) throw refuse.configurationLocked()
  const apply = () => applyGenerated({ ...targetOf(services), trial }, plan)
  const { stages, dataTypes, anchors, notes } = changeWithoutHiddenUses({ db, trial, access }, apply)
  log(services, job, trialId, 'generateStages', { after: stages, dataTypes, anchors })
  services.recalculateTimelines(services.clock.now(), { trial, user: job.user, access })
  return { stages: stages.map(({ _id }) => _id), dataTypes: dataTypes.length, notes }
}

function addBuiltTrial(
  services: JobServices,
  job: GenerationJob,
  into: Extract<GenerationTarget, { team: Id }>,
  plan: GeneratedPlan,
) {
  const { db } = services
  if (!featuresOf(db, into.team).ai) throw refuse.feature('ai')
  const membership = accessOf(db, job.user).teams.get(into.team)
  if (!membership?.permissions.has('trials.create')) throw refuse.missingPermission(['trials.create'])
  const { name = nameFrom(plan), ...given } = into
  const target = targetOf(services)
  const trial = addTrial(target, { ...given, name, user: job.user })
  const { stages, dataTypes, anchors, notes } = applyGenerated({ ...target, trial }, plan)
  const after = trialById(db, trial._id)!
  log(services, job, trial._id, 'createTrial', {
    trialId: trial._id,
    after: fieldsOf(after),
    stages,
    dataTypes,
    anchors,
  })
  const answer = projectTrial(shownTrial(services, after), { personal: () => true }) as Record<string, unknown>
  return { ...answer, notes }
}

const nameFrom = ({ name, stages }: GeneratedPlan): string => {
  const given = name?.trim() ?? ''
  return given.length >= 2 ? given : `Trial: ${stages[0]?.name ?? 'new'}`
}

/** Writes the audit entry in the name of the user who started the job; the client is in the entry of the job's start. */
function log(
  { db, clock }: JobServices,
  job: GenerationJob,
  chain: Id,
  type: string,
  event: Record<string, unknown>,
): void {
  const userEmail = rowById(db, users, job.user)?.email ?? null
  appendEntry(db, {
    chain,
    createdAt: clock.now(),
    type,
    userType: 'user',
    user: job.user,
    userEmail,
    event: { jobId: job._id, ...event },
  })
}
