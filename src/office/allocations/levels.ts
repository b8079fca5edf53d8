/** The levels of a participant, and whether they are eligible. A refusal says what is missing, but no answer. */
import type { Places } from '#access/caller'
import { byDataType } from '#conduct/responses/layout'
import { layoutById, responseAt, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { FactorFields } from '#db/tables/randomisation'
import { type Configuration, configuration } from '#design/configuration/configuration'
import { compileCondition } from '#design/stages/conditions'
import type { SharedTrial } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { type Problem, refuse } from '#kernel/problem'
import { levelOfAnswer, onlyPlace } from '#office/allocationMethods/levels'
import type { RandomisationRow } from '#office/randomisation/store'

export type Candidate = {
  db: Db
  trial: SharedTrial
  participant: { _id: Id; id: string; timezone: string | null }
  places: Places
  /** The site that counts; undefined if there is none, or if the request does not name one of several. */
  site: Id | undefined
}

/** The current answers to the first occurrence of a stage; undefined if it is not submitted. */
function answersTo({ db, participant }: Candidate, stage: Id): Record<Id, unknown> | undefined {
  const row = responseAt(db, participant._id, stage, 0)
  return row && byDataType(layoutById(db, row.layout), valuesOf(row))
}

/** Refuses (400) a participant who is not eligible. */
export function requireEligible(candidate: Candidate, { eligibility }: Pick<RandomisationRow, 'eligibility'>): void {
  if (!eligibility) return
  const { db, trial, participant } = candidate
  const config = configuration(db, trial)
  const about = { stage: config.stages.get(eligibility.stage)?.name ?? eligibility.stage, participant: participant.id }
  const answers = answersTo(candidate, eligibility.stage)
  if (!answers) throw refuse.bad('eligibilityNotSubmitted', about)
  const zone = participant.timezone ?? trial.timezone ?? 'UTC'
  const holds = eligibility.conditions.every((condition) => {
    const dataType = config.dataTypes.get(condition.dataType)
    return dataType !== undefined && compileCondition(condition, dataType)(answers[condition.dataType], zone)
  })
  if (!holds) throw refuse.bad('notEligible', about)
}

/** The refusal (400) of a factor without a level. */
function levelRefusal(config: Configuration, { participant, places, site }: Candidate, factor: FactorFields): Problem {
  const { name } = factor
  if (factor.type === 'site' && site === undefined)
    return refuse.bad(places.sites.length ? 'factorSiteOpen' : 'factorWithoutSite', { factor: name })
  if (factor.type === 'group') {
    const own = places.groups.filter((group) => factor.groups?.includes(group))
    if (!own.length) return refuse.bad('factorWithoutGroup', { factor: name })
    return refuse.bad('factorSeveralGroups', { factor: name, groups: own.length })
  }
  const stage = config.stages.get(factor.stage!)?.name ?? factor.stage!
  return refuse.bad('factorWithoutAnswer', { factor: name, stage, participant: participant.id })
}

/** The levels of a participant in the order of the factors. @throws 400 if one is missing */
export function levelsOf(candidate: Candidate, { factors }: Pick<RandomisationRow, 'factors'>): string[] {
  const config = configuration(candidate.db, candidate.trial)
  return factors.map((factor) => {
    const level = levelOf(candidate, config, factor)
    if (level === undefined) throw levelRefusal(config, candidate, factor)
    return level
  })
}

function levelOf(candidate: Candidate, config: Configuration, factor: FactorFields): string | undefined {
  if (factor.type === 'site') return candidate.site
  if (factor.type === 'group') return onlyPlace(candidate.places.groups, factor.groups)
  const answers = answersTo(candidate, factor.stage!)
  const settings = config.dataTypes.get(factor.dataType!)
  return answers && settings && levelOfAnswer(factor, settings, answers[factor.dataType!])
}
