/** Starts the jobs that make stages or a trial from a description (docs/imports.md, "From a description"). */
import type { Staff } from '#access/caller'
import { featuresOf } from '#access/features'
import type { Note, RequestContext } from '#http/operation'
import { insertJob } from '#jobs/queue'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { usableFile } from '#storage/store'
import { kindOf } from './kinds'
import type { GenerationTarget, GenerationTask } from './task'
import { generationTask } from './task'

type StartContext = RequestContext & { caller: Staff; record(note: Note): void; after(effect: () => void): void }

function start(
  { services, db, now, id, caller, record, after }: StartContext,
  trial: Id | null,
  input: GenerationTask,
) {
  const { jobId } = insertJob(db, generationTask, { _id: id(), createdAt: now, user: caller.user._id, trial, input })
  const { prompt, files } = input
  const documents = files.map(({ storedName, name }) => ({ storedName, name }))
  record({ type: 'startGeneration', event: { jobId, promptLength: prompt.length, files: documents } })
  after(() => void services.startJob(jobId))
  return { jobId }
}

const requireAiFeature = ({ db }: StartContext, team: Id): void => {
  if (!featuresOf(db, team).ai) throw refuse.feature('ai')
}

/** Starts a job that adds stages to the trial. 403 if the team does not have the AI feature. */
export function startGeneration(
  context: StartContext & { trial: { _id: Id; team: Id } },
  prompt: string,
): { jobId: Id } {
  const { trial } = context
  requireAiFeature(context, trial.team)
  return start(context, trial._id, { prompt, files: [], into: { trial: trial._id } })
}

type BuildInput = {
  [field: string]: unknown
  name?: string
  prompt?: string
  files?: string[]
  restrictRegistration?: boolean
  description?: string | null
}

/**
 * Starts a job that makes a trial from a prompt and documents. 400 for a file that cannot be used, 403 without the AI
 * feature.
 */
export function startTrialBuild(context: StartContext & { team: { _id: Id } }, body: BuildInput): { jobId: Id } {
  const { db, team, caller } = context
  const { name, prompt, files: named = [], description, restrictRegistration, ...others } = body
  for (const field of Object.keys(others))
    throw refuse.invalid({ [field]: [reason('notWithCreationType', { creationType: 'build' })] })
  if (prompt === undefined) throw refuse.invalid({ prompt: [reason('missing')] })
  requireAiFeature(context, team._id)
  const files = [...new Set(named)].map((storedName) => {
    const file = usableFile(db, storedName, 'team', team._id) ?? usableFile(db, storedName, 'user', caller.user._id)
    if (!file) throw refuse.bad('notOwnUpload', { file: storedName })
    if (!kindOf(file)) throw refuse.bad('documentTypeUnread', { name: file.name })
    return { storedName, name: file.name, type: file.type }
  })
  const into: GenerationTarget = {
    team: team._id,
    ...(name === undefined ? {} : { name }),
    description: description ?? null,
    restrictRegistration: restrictRegistration ?? true,
  }
  return start(context, null, { prompt, files, into })
}
