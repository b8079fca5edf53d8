/** The factors of a randomisation in the configuration of its trial: their problems, and all their levels. */

import type { Db } from '#db/open'
import type { FactorFields } from '#db/tables/randomisation'
import type { Configuration } from '#design/configuration/configuration'
import { groupsOf } from '#design/groups/store'
import { sitesOf } from '#design/sites/store'
import { conditionProblem } from '#design/stages/conditionProblems'
import type { Id } from '#kernel/id'
import { type Reason, reason } from '#kernel/refusals/reason'
import { isNumeric, levelsOfAnswer, type NamedLevel } from '#office/allocationMethods/levels'
import type { RandomisationRow } from './store'

type AnswerField = { stage?: Id; dataType?: Id }

/** What is wrong with a stage that must be answered once, before the allocation; undefined if nothing is. */
function stageProblem({ stages }: Configuration, stage: Id | undefined): Reason | undefined {
  const row = stages.get(stage ?? '')
  if (!row) return reason('factorStageElsewhere')
  if (row.isPoll) return reason('factorOnPoll', { stage: row.name })
  return row.adHoc ? reason('factorOnAdHoc', { stage: row.name }) : undefined
}

function fieldProblem(config: Configuration, { stage, dataType }: AnswerField): Reason | undefined {
  const problem = stageProblem(config, stage)
  if (problem) return problem
  return config.fieldsOf(stage!).includes(dataType ?? '') ? undefined : reason('factorFieldElsewhere')
}

function answerProblem(config: Configuration, { stage, dataType, cutPoints }: FactorFields): Reason | undefined {
  const problem = fieldProblem(config, { stage: stage!, dataType: dataType! })
  if (problem) return problem
  const settings = config.dataTypes.get(dataType!)!
  if (isNumeric(settings)) {
    if (!cutPoints) return reason('cutPointsMissing')
    const ascends = cutPoints.every((point, index) => index === 0 || point > cutPoints[index - 1]!)
    return ascends ? undefined : reason('cutPointsOrder')
  }
  if (settings.format !== 'choice' || settings.multiple) return reason('notFactorFormat')
  return cutPoints ? reason('cutPointsOfChoice') : undefined
}

const allowed: Record<FactorFields['type'], readonly string[]> = {
  site: [],
  group: ['groups'],
  answer: ['stage', 'dataType', 'cutPoints'],
}

/** What is wrong with a factor; undefined if nothing is. @param known the groups of the trial that are not arms */
export function factorProblem(config: Configuration, factor: FactorFields, known: ReadonlySet<Id>): Reason | undefined {
  const { type, groups = [] } = factor
  const odd = (['groups', 'stage', 'dataType', 'cutPoints'] as const).find(
    (field) => factor[field] !== undefined && !allowed[type].includes(field),
  )
  if (odd) return reason('notOfFactorType', { type, field: odd })
  if (type === 'answer') return answerProblem(config, factor)
  if (type === 'site') return undefined
  if (new Set(groups).size < 2) return reason('tooFewGroups')
  const unknown = groups.filter((group) => !known.has(group))
  return unknown.length ? reason('notFactorGroups', { groups: unknown }) : undefined
}

/** What is wrong with the eligibility; undefined if nothing is. */
export function eligibilityProblem(
  config: Configuration,
  { stage, conditions }: NonNullable<RandomisationRow['eligibility']>,
): Reason | undefined {
  const problems = conditions.map(
    (condition) =>
      fieldProblem(config, { stage, dataType: condition.dataType }) ??
      conditionProblem(condition, config.dataTypes.get(condition.dataType)!),
  )
  return stageProblem(config, stage) ?? problems.find((problem) => problem !== undefined)
}

/** All levels of each factor, with the names that an uploaded list may have for them. */
export function levelsOfFactors(
  db: Db,
  config: Configuration,
  { trial, factors }: Pick<RandomisationRow, 'trial' | 'factors'>,
): NamedLevel[][] {
  return factors.map((factor): NamedLevel[] => {
    if (factor.type === 'site')
      return sitesOf(db, trial, 'all').map(({ _id, id, name }) => ({ level: _id, names: [name, id, _id] }))
    if (factor.type === 'group') {
      const groups = groupsOf(db, trial, { sites: [], groups: factor.groups ?? [] }, true)
      return groups.map(({ _id, name }) => ({ level: _id, names: [name, _id] }))
    }
    const settings = config.dataTypes.get(factor.dataType!)
    const levels = settings ? levelsOfAnswer(factor, settings) : []
    return levels.map((level) => ({ level, names: [level] }))
  })
}
