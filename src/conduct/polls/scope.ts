import type { Caller } from '#access/caller'
import { configuration } from '#design/configuration/configuration'
import { namedTrial, type Trial } from '#design/trials/store'
import type { RequestContext, Scope, ScopeResult } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'

/** Requests per minute and address: a lecture hall has one address, and everybody in it answers at once. */
export const REQUESTS_PER_MINUTE = 3_000

export type PollScope = ScopeResult & { trial: Trial; poll: Id }

/** The poll of `:stageId` in the trial with the code `:trialCode`. @throws 404 if there is none */
export const poll: Scope<PollScope, 'trialCode' | 'stageId', Caller> = ({ db, params }) => {
  const trial = found(namedTrial(db, params.trialCode), 'poll')
  const stage = configuration(db, trial).stages.get(params.stageId)
  if (!stage?.isPoll || trial.isArchived) throw refuse.missing('poll')
  return { trial, poll: stage._id }
}

/** The poll in the language of the reader. */
export function pollIn({ db, trial, poll }: Pick<RequestContext, 'db'> & PollScope, language: string | null) {
  const config = configuration(db, trial).in(language)
  return { config, stage: found(config.stages.get(poll), 'poll') }
}

/** Refuses (403) a poll that takes no answers. */
export function requireOpen({ enabled }: { enabled: boolean }): void {
  if (!enabled) throw refuse.forbidden('closed')
}
