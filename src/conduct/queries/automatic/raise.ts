/**
 * Automatic queries (docs/automatic-queries.md): the submissions since the last run are checked, a limited number at a time,
 * by the soft constraints of every trial, and by rules where automatic queries are switched on. Each finding is raised once
 * and assigned as the trial's settings say.
 */
import { featuresOf } from '#access/features'
import { appendEntry } from '#audit/append'
import { placesOf } from '#conduct/participants/memberships'
import { raise as raiseQuery } from '#conduct/queries/insert'
import { mailRaisedQueries, type RaisedQuery } from '#conduct/queries/notices'
import { readersAmong } from '#conduct/queries/readers'
import { submissionsIn } from '#conduct/responses/layout'
import {
  isOwned,
  type OwnedResponse,
  type ResponseRow,
  responseById,
  sourceSubmissionsOf,
} from '#conduct/responses/store'
import { zoneOf } from '#conduct/timeline/progress'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { configuration } from '#design/configuration/configuration'
import { writerOf } from '#design/trials/notices'
import { settingsOf } from '#design/trials/rules'
import { type Trial, trialById } from '#design/trials/store'
import { type Id, newId, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'
import {
  enabledTrials,
  lastExamined,
  lastSubmission,
  saveLastExamined,
  submissionsAfter,
  updateStarts,
} from './cursorStore'
import { findingsIn } from './findings'
import { NUMBER_RULES } from './numbers'
import type { Finding } from './rules'
import { brokenSoftRules, hasSoftRules } from './softRules'

const CURSOR = 'automaticQueries'

/** Raises the findings in a response, each once, assigned as the trial's settings say. Returns the new queries. */
export function raiseFindings(
  db: Db,
  trial: Trial,
  row: OwnedResponse,
  findings: readonly Finding[],
  now: Instant,
): RaisedQuery[] {
  if (!findings.length) return []
  const raised: RaisedQuery[] = []
  const { _id: participant, id: participantId } = rowById(db, participants, row.participant)!
  const { smartAutomaticQueryAssignees: people, smartAutomaticQueryInstructions: instructions } = settingsOf(trial)
  const [config, places] = [configuration(db, trial), placesOf(db, participant)]
  const writer = writerOf(trial, null) // a query is for all: in the trial's language
  for (const { rule, dataType, value, text } of findings) {
    const kind = NUMBER_RULES.has(rule) ? 'number' : rule
    const fingerprint = sha256(JSON.stringify([row._id, dataType, kind, value]))
    const assignees = readersAmong(db, config, { trial: trial._id, places, dataType }, people)
    const about = { response: row._id, dataType, assignees, raisedBy: null, rule, instructions, fingerprint }
    const query = { _id: newId(now), trial: trial._id, participant, ...about }
    const event = raiseQuery(db, query, { _id: newId(now), text: text(writer), at: now })
    if (!event) continue
    appendEntry(db, { chain: trial._id, createdAt: now, type: 'raiseQuery', userType: 'system', participant, event })
    const { stage, stageRecurrence } = row
    raised.push({ trial, participantId, stage, stageRecurrence, dataType, places, assignees })
  }
  return raised
}

/** Raises the findings in a response. Returns the new queries, and the earlier responses that should be checked again. */
function examine(db: Db, trial: Trial, row: OwnedResponse, now: Instant): { raised: RaisedQuery[]; again: Id[] } {
  const participant = rowById(db, participants, row.participant)!
  const at = { now, zone: zoneOf(participant, trial) }
  const { smartAutomaticQueryInstructions: instructions } = settingsOf(trial)
  const { findings, again } = findingsIn(db, configuration(db, trial), row, at, instructions)
  return { raised: raiseFindings(db, trial, row, findings, now), again }
}

/** Raises queries about soft constraints only, in a trial without automatic queries. */
function examineSoftRules(db: Db, row: OwnedResponse, now: Instant): RaisedQuery[] {
  const trial = trialById(db, row.trial)
  if (!trial) return []
  const config = configuration(db, trial)
  const zone = zoneOf(rowById(db, participants, row.participant)!, trial)
  return raiseFindings(db, trial, row, brokenSoftRules(db, config, row, { now, zone }), now)
}

/** Whether anything in a response was submitted after automatic queries were switched on. */
const isSubmittedSince = (row: ResponseRow, start: number) =>
  submissionsIn(sourceSubmissionsOf(row)).some((n) => n >= start)

/** Whether there are submissions that the rules have not checked. */
export const hasUnexamined = (db: Db): boolean => lastSubmission(db) > (lastExamined(db, CURSOR) ?? 0)

/** The trials with automatic queries switched on whose team has the feature. */
export function trialsToExamine(db: Db): Map<Id, Trial> {
  const trials = new Map<Id, Trial>()
  for (const _id of enabledTrials(db)) {
    const trial = trialById(db, _id)!
    if (featuresOf(db, trial.team).ai) trials.set(_id, trial)
  }
  return trials
}

/** The most submissions that one part passes over because nothing checks their stage. */
const MAX_SKIPPED = 500

/** Makes a function that returns whether anything checks the responses to a stage. */
function stageChecker(db: Db, trials: ReadonlyMap<Id, Trial>): (trial: Id, stage: Id) => boolean {
  const known = new Map<Id, boolean>()
  return (trial, stage) => {
    let isChecked = known.get(stage)
    if (isChecked === undefined) {
      const row = trials.has(trial) ? undefined : trialById(db, trial)
      isChecked = trials.has(trial) || (row !== undefined && hasSoftRules(configuration(db, row), stage))
      known.set(stage, isChecked)
    }
    return isChecked
  }
}

/**
 * The responses of the next submissions that something checks, at most `limit`. The others are passed over by their stage: to read
 * each of their responses would cost as much as a part of the submission itself.
 * @returns `last`: the last submission that is done then; undefined if there is none. `isLeft`: whether more may be left
 */
function nextToCheck(db: Db, trials: ReadonlyMap<Id, Trial>, limit: number) {
  const isChecked = stageChecker(db, trials)
  const page = submissionsAfter(db, lastExamined(db, CURSOR) ?? 0, MAX_SKIPPED)
  const responses = new Set<Id>()
  let [count, last]: [number, number | undefined] = [0, undefined]
  for (const { _id, trial, stage, response } of page) {
    if (trial !== null && stage !== null && isChecked(trial, stage)) {
      if (count++ === limit) return { responses, last, isLeft: true }
      responses.add(response)
    }
    last = _id
  }
  return { responses, last, isLeft: page.length === MAX_SKIPPED || count === limit }
}

/** Checks at most `limit` further submissions of all trials. Returns whether more may be left. */
export function raiseAutomatic(db: Db, now: Instant, limit: number): boolean {
  const trials = trialsToExamine(db)
  const starts = updateStarts(db, new Set(trials.keys()))
  const { responses, last, isLeft } = nextToCheck(db, trials, limit)
  const raised: RaisedQuery[] = []
  const again = new Set<Id>()
  for (const _id of responses) {
    const row = responseById(db, _id)
    if (!row || !isOwned(row)) continue
    if (!trials.has(row.trial)) {
      raised.push(...examineSoftRules(db, row, now))
      continue
    }
    const examined = examine(db, trials.get(row.trial)!, row, now)
    raised.push(...examined.raised)
    for (const other of examined.again) again.add(other)
  }
  for (const _id of again) {
    const row = responses.has(_id) ? undefined : responseById(db, _id)
    if (!row || !isOwned(row) || !isSubmittedSince(row, starts.get(row.trial)!)) continue
    raised.push(...examine(db, trials.get(row.trial)!, row, now).raised)
  }
  mailRaisedQueries(db, now, raised)
  if (last !== undefined) saveLastExamined(db, CURSOR, last)
  return isLeft
}
