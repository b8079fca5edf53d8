/**
 * Smart automatic queries (decisions 7): rules that look at what was submitted since they last did, a bounded part at a
 * time. Each finding is raised once, assigned as the trial says.
 */
import { featuresOf } from '../../../access/features'
import { append } from '../../../audit/append'
import type { Db } from '../../../db/open'
import { rowById } from '../../../db/rows'
import { participants } from '../../../db/tables'
import { type Id, newId, sha256 } from '../../../kernel/id'
import type { Instant } from '../../../kernel/time'
import { placesOf } from '../../participants/memberships'
import { byDataType } from '../../responses/layout'
import { layoutById, type ResponseRow, responseById, valuesOf } from '../../responses/queries'
import { type Configuration, configuration } from '../../stages/configuration'
import { zoneOf } from '../../timeline/progress'
import { type Trial, trialById } from '../../trials/queries'
import { settingsOf } from '../../trials/rules'
import { type Raised, tellRaised } from '../notices'
import { insertMessage, insertQuery } from '../queries'
import { readersAmong } from '../readers'
import { oddNumbers, partsOf } from './numbers'
import { type Answered, contradictions, type Finding, impossibleDates } from './rules'
import {
  enabledTrials,
  lastSubmission,
  latestOfParticipant,
  latestOfStage,
  reached,
  reachedTo,
  submissionsAfter,
} from './since'

/** The answers of a response whose data types are still there. */
const answersIn = (db: Db, config: Configuration, row: Pick<ResponseRow, 'layout' | 'values'>): Answered[] =>
  Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).flatMap(([dataType, value]) => {
    const question = config.guarded.get(dataType)
    return question ? [{ question, value }] : []
  })

/** The numbers of answers, by what they measure. */
function numbersIn(responses: readonly (readonly Answered[])[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const { question, value } of responses.flat()) {
    for (const part of partsOf(question, value)) {
      const list = numbers.get(part.key)
      if (list) list.push(part.value)
      else numbers.set(part.key, [part.value])
    }
  }
  return numbers
}

type Sample = { numbers: Map<string, number[]>; uses: number }
const samples = new WeakMap<Db, Map<Id, Sample>>()

/** A sample serves so many responses of its stage before it is taken again. */
const USES = 50

/** The numbers of the latest responses to a stage. */
function sampleOf(db: Db, config: Configuration, stage: Id): Map<string, number[]> {
  let kept = samples.get(db)
  if (!kept || kept.size > 500) samples.set(db, (kept = new Map()))
  let sample = kept.get(stage)
  if (!sample || sample.uses === USES) {
    sample = { numbers: numbersIn(latestOfStage(db, stage).map((row) => answersIn(db, config, row))), uses: 0 }
    kept.set(stage, sample)
  }
  sample.uses++
  return sample.numbers
}

/** Everything that the rules find in a response. */
function findingsIn(db: Db, config: Configuration, row: ResponseRow, zone: string): Finding[] {
  const answers = answersIn(db, config, row)
  const others = latestOfParticipant(db, row.participant!)
    .filter(({ _id }) => _id !== row._id)
    .map((other) => ({ ...other, answers: answersIn(db, config, other) }))
  const known = { own: numbersIn(others.map(({ answers }) => answers)), all: sampleOf(db, config, row.stage) }
  const earlier = new Map<Id, unknown[]>()
  for (const { question, value } of others.flatMap(({ answers }) => answers)) {
    earlier.set(question._id, [...(earlier.get(question._id) ?? []), value])
  }
  const stage = config.stages.get(row.stage)
  const isSeries = stage?.isRecurring === true && !stage.adHoc
  const series = { n: row.stageRecurrence, others: others.filter(({ stage }) => stage === row.stage) }
  return [
    ...oddNumbers(answers, known),
    ...impossibleDates(answers, zone, isSeries ? series : undefined),
    ...contradictions(answers, earlier),
  ]
}

/** Raises what the rules find in a response; answers what is new of it. */
function examine(db: Db, trial: Trial, row: ResponseRow, now: Instant): Raised[] {
  const participant = rowById(db, participants, row.participant!)!
  const findings = findingsIn(db, configuration(db, trial), row, zoneOf(participant, trial))
  if (!findings.length) return []
  const { smartAutomaticQueryAssignees: people, smartAutomaticQueryInstructions: instructions } = settingsOf(trial)
  const places = placesOf(db, participant._id)
  const assignees = readersAmong(db, trial._id, places, people)
  const raised: Raised[] = []
  for (const { rule, dataType, value, text } of findings) {
    const fingerprint = sha256(JSON.stringify([row._id, dataType, rule, value]))
    const about = { response: row._id, dataType, status: 'open' as const, assignees, rule }
    const query = { _id: newId(now), createdAt: now, updatedAt: now, trial: trial._id, participant: participant._id }
    if (!insertQuery(db, { ...query, ...about, instructions, fingerprint })) continue
    insertMessage(db, { _id: newId(now), createdAt: now, query: query._id, text, attachments: [] })
    append(db, {
      chain: trial._id,
      createdAt: now,
      type: 'raiseQuery',
      userType: 'system',
      participant: participant._id,
      event: { query: query._id, ...about },
    })
    const { stage, stageRecurrence } = row
    raised.push({ trial, participantId: participant.id, stage, stageRecurrence, dataType, places, assignees })
  }
  return raised
}

/** Whether something was submitted that the rules have not looked at. */
export const isBehind = (db: Db): boolean => lastSubmission(db) > reached(db)

/** Looks at the next submissions of trials that ask for it, at most so many; answers whether more are left. */
export function raiseAutomatic(db: Db, now: Instant, limit: number): boolean {
  const trials = new Map<Id, Trial>()
  for (const _id of enabledTrials(db)) {
    const trial = trialById(db, _id)!
    if (featuresOf(db, trial.team).ai) trials.set(_id, trial)
  }
  if (!trials.size) {
    reachedTo(db, lastSubmission(db))
    return false
  }
  const submissions = submissionsAfter(db, reached(db), limit)
  const responses = new Set(submissions.flatMap(({ trial, response }) => (trials.has(trial) ? [response] : [])))
  const raised = [...responses].flatMap((_id) => {
    const row = responseById(db, _id)
    return row?.participant ? examine(db, trials.get(row.trial)!, row, now) : []
  })
  tellRaised(db, now, raised)
  if (submissions.length) reachedTo(db, submissions.at(-1)!._id)
  return submissions.length === limit
}
