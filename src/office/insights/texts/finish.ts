/** Stores a generated text, in the transaction that ends its job. */
import { holds, visibleScopeOf } from '#access/caller'
import { featuresOf } from '#access/features'
import { accessOf } from '#access/identify'
import { enabledUser } from '#access/store'
import { appendEntry } from '#audit/append'
import { isVisibleTo, placesOf } from '#conduct/participants/memberships'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { settingsOf } from '#design/trials/rules'
import { trialById } from '#design/trials/store'
import type { Job, JobServices } from '#jobs/kind'
import { type Id, newId } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { storeInsights } from '#office/insights/trial/job'
import { insertText } from './store'
import type { InsightTask } from './task'
import type { DescribeResult } from './work'

type InsightJob = Omit<Job, 'input'> & { input: InsightTask }

/** Refuses a text that its account may not ask for any more: permissions, features and settings may have changed meanwhile. */
function requireStillAllowed({ db }: JobServices, user: Id, { trial: trialId, participant, at }: InsightTask): void {
  const trial = found(trialById(db, trialId), 'trial')
  if (!featuresOf(db, trial.team).ai) throw refuse.feature('ai')
  const { participantInsightsEnabled, trialInsightsEnabled } = settingsOf(trial)
  if (!(participant === null ? trialInsightsEnabled : participantInsightsEnabled))
    throw refuse.forbidden('generationOff')
  const access = enabledUser(db, user) && accessOf(db, user).trials.get(trialId)
  if (!access) throw refuse.missingPermission(['trial.readParticipantStudyData'])
  const about = participant === null ? undefined : found(rowById(db, participants, participant), 'participant')
  // The erasure emptied the texts that there were: none may come after it.
  if (about?.erasedAt && about.erasedAt >= at) throw refuse.forbidden('erasedMeanwhile')
  const places = participant === null ? undefined : placesOf(db, participant)
  const isSeen = places ? isVisibleTo(access, places) : visibleScopeOf(access) === 'all'
  if (!isSeen || !holds(access, 'readParticipantStudyData', places)) {
    throw refuse.missingPermission(['trial.readParticipantStudyData'])
  }
}

/** Stores the text with who asked for it and when, and the entry of the audit trail. */
export function finish(
  services: JobServices,
  job: InsightJob,
  { text, problem, model, reveals, rows }: DescribeResult,
) {
  const { db, clock } = services
  const { user, input } = job
  requireStillAllowed(services, user, input)
  const { trial, participant } = input
  if (rows.length) storeInsights(services, trial, rows)
  if (text === null) return { insightText: null, problem }
  const now = clock.now()
  const { _id } = insertText(db, {
    _id: newId(now),
    createdAt: now,
    createdBy: user,
    trial,
    participant,
    model,
    text,
    reveals,
  })
  const actor = { user, userType: 'user' as const, userEmail: enabledUser(db, user)?.email ?? null }
  const event = { jobId: job._id, insightText: _id, model }
  appendEntry(db, { chain: trial, createdAt: now, type: 'createInsightText', ...actor, participant, event })
  return { insightText: _id, problem: null }
}
