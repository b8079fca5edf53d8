/** Refusals when a data type is saved or deleted. */

import { type Access, noPlaces } from '#access/caller'
import type { Db } from '#db/open'
import { codeProblem, settingsLosses, settingsProblems } from '#design/dataTypes/rules'
import { answersTo, type DataTypeRow, isCodeTaken } from '#design/dataTypes/store'
import { hiddenFrom, SEE_ALL_ANSWERS } from '#design/hiddenFields/hiddenFields'
import { inheritFlags } from '#design/hiddenFields/inheritedFlags'
import { calculationCircle, componentsProblems } from '#design/stages/componentChecks'
import { pollProblems } from '#design/stages/polls'
import { languageProblems } from '#design/translations/rules'
import { dataTypeTexts } from '#design/translations/textKinds'
import { languagesOf } from '#design/trials/store'
import { type FieldProblems, refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import type { Configuration } from './configuration'
import { refuseRandomised } from './randomisedStore'

/**
 * Refuses invalid settings and a calculation that is computed from itself, directly or through others (422), and a code that
 * another data type has (400).
 */
export function refuseInvalidDataType(
  db: Db,
  { dataTypes }: Configuration,
  dataType: DataTypeRow,
  before?: DataTypeRow,
): void {
  const problems: FieldProblems = settingsProblems(dataType)
  const code = codeProblem(dataType.code)
  if (code) problems.code = [code]
  const languages = languageProblems(dataType, before, dataTypeTexts, languagesOf(db, dataType.trial))
  if (languages.length) problems.translations = languages
  // Only a calculation can close a circle.
  const others = dataType.format === 'calculation' ? [...dataTypes.values()] : []
  const circle = calculationCircle([dataType, ...others.filter(({ _id }) => _id !== dataType._id)])
  if (circle) problems.expression = [...(problems.expression ?? []), circle]
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  if (isCodeTaken(db, dataType.trial, dataType.code, dataType._id)) throw refuse.taken('code', dataType.code)
}

/**
 * Refuses (403) a change that would let the caller see answers hidden from them: through new flags, codes or expressions,
 * or through a refusal that counts such answers.
 */
export function refuseRevealing(
  configuration: Configuration,
  access: Access,
  after: DataTypeRow,
  before?: DataTypeRow,
): void {
  const dataTypesAfter = new Map(configuration.dataTypes).set(after._id, after)
  const hiddenBefore = hiddenFrom(configuration, access, noPlaces)
  const hiddenAfter = hiddenFrom({ withInheritedFlags: inheritFlags(dataTypesAfter) }, access, noPlaces)
  const revealsAnswers = [...configuration.dataTypes.keys()].some((_id) => hiddenBefore(_id) && !hiddenAfter(_id))
  const revealsCounts = before && hiddenBefore(before._id) && settingsLosses(before, after).length > 0
  if (revealsAnswers || revealsCounts) throw refuse.missingPermission(SEE_ALL_ANSWERS)
}

/** Refuses (400) a change that removes something existing answers use: their format, option, statement or column. */
export function refuseLosses(db: Db, before: DataTypeRow, after: DataTypeRow): void {
  const losses = settingsLosses(before, after).map((loss) => ({ ...loss, count: 0 }))
  if (!losses.length) return
  for (const value of answersTo(db, before)) for (const loss of losses) if (loss.uses(value)) loss.count++
  const lossesInUse = losses.filter(({ count }) => count)
  if (!lossesInUse.length) return
  throw refuse.bad('usedByAnswers', {
    uses: lossesInUse.map(({ what, count }) => reason('answersUse', { count, what })),
  })
}

const stagesUsing = ({ stageOrder }: Configuration, { _id }: DataTypeRow) =>
  stageOrder.filter(({ components }) => components.some(({ dataType }) => dataType === _id))

/** Refuses (400) a change that makes a stage's conditions, scores or calculations invalid. The error names the stage. */
export function refuseBrokenStages(configuration: Configuration, after: DataTypeRow): void {
  const dataTypes = new Map(configuration.dataTypes).set(after._id, after)
  for (const { name, components, isPoll } of stagesUsing(configuration, after)) {
    const [problem] = [
      ...componentsProblems(components, dataTypes),
      ...(isPoll ? pollProblems(components, dataTypes) : []),
    ]
    if (problem) throw refuse.bad('stageWouldNotWork', { name, problem })
  }
}

/** Refuses (400) to delete a data type that a stage or a randomisation uses, or that has answers. */
export function refuseInUse(db: Db, configuration: Configuration, dataType: DataTypeRow): void {
  const stages = stagesUsing(configuration, dataType)
  if (stages.length) {
    throw refuse.stillInUse(
      dataType.name,
      stages.map(({ name }) => name),
    )
  }
  let count = 0
  for (const _ of answersTo(db, dataType)) count++
  if (count) throw refuse.bad('dataTypeHasAnswers', { count })
  refuseRandomised(db, dataType)
}
