/** What keeps a data type from being saved or deleted. */

import { type Access, nowhere } from '#access/caller'
import type { Db } from '#db/open'
import { codeProblem, settingsChangeProblem, settingsProblems } from '#design/dataTypes/rules'
import { answersTo, type DataTypeRow, isCodeTaken } from '#design/dataTypes/store'
import { calculationCircle, componentsProblems } from '#design/stages/checks'
import { type FieldProblems, refuse } from '#kernel/problem'
import type { Configuration } from './configuration'
import { guarded } from './guarded'
import { hiddenFrom, SEEING } from './hidden'

const plural = (count: number, noun: string) => `${count} ${noun}${count === 1 ? '' : 's'}`

/**
 * Refuses faulty settings and a calculation that is computed from itself, by whatever way round (422), and a code that another
 * data type has (400).
 */
export function refuseFaults(db: Db, { dataTypes }: Configuration, dataType: DataTypeRow): void {
  const problems: FieldProblems = settingsProblems(dataType)
  const code = codeProblem(dataType.code)
  if (code) problems.code = [code]
  // Only a calculation can close a circle.
  const others = dataType.format === 'calculation' ? [...dataTypes.values()] : []
  const circle = calculationCircle([dataType, ...others.filter(({ _id }) => _id !== dataType._id)])
  if (circle) problems.expression = [...(problems.expression ?? []), circle]
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  if (isCodeTaken(db, dataType.trial, dataType.code, dataType._id)) throw refuse.taken('code', dataType.code)
}

/**
 * Refuses (403) to open to oneself, by a change of flags, codes or expressions, answers that are hidden from one; and to
 * find out from a refusal which of them there are.
 */
export function refuseBlind(
  configuration: Configuration,
  access: Access,
  after: DataTypeRow,
  before?: DataTypeRow,
): void {
  const changed = new Map(configuration.dataTypes).set(after._id, after)
  const was = hiddenFrom(configuration, access, nowhere)
  const is = hiddenFrom({ guarded: guarded(changed) }, access, nowhere)
  const isOpening = [...configuration.dataTypes.keys()].some((_id) => was(_id) && !is(_id))
  const isAsking = before && was(before._id) && settingsChangeProblem(before, after).length > 0
  if (isOpening || isAsking) throw refuse.lacking(SEEING)
}

/** Refuses a change that would leave answers without what they mean: their format, option, statement, column (400). */
export function refuseLosses(db: Db, before: DataTypeRow, after: DataTypeRow): void {
  const losses = settingsChangeProblem(before, after).map((loss) => ({ ...loss, count: 0 }))
  if (!losses.length) return
  for (const value of answersTo(db, before)) for (const loss of losses) if (loss.uses(value)) loss.count++
  const used = losses.filter(({ count }) => count)
  if (!used.length) return
  const sentences = used.map(({ what, count }) => `${plural(count, 'answer')} ${count === 1 ? 'uses' : 'use'} ${what}`)
  throw refuse.bad(`This cannot be changed any more: ${sentences.join('; ')}.`)
}

const using = ({ stageOrder }: Configuration, { _id }: DataTypeRow) =>
  stageOrder.filter(({ components }) => components.some(({ dataType }) => dataType === _id))

/** Refuses a change that a stage's conditions, scores or calculations would not fit any more (400, naming the stage). */
export function refuseBrokenStages(configuration: Configuration, after: DataTypeRow): void {
  const dataTypes = new Map(configuration.dataTypes).set(after._id, after)
  for (const { name, components } of using(configuration, after)) {
    const [problem] = componentsProblems(components, dataTypes)
    if (problem) throw refuse.bad(`The stage “${name}” would no longer work. ${problem}`)
  }
}

/** Refuses to delete a data type that stages ask or that was answered (400). */
export function refuseInUse(db: Db, configuration: Configuration, dataType: DataTypeRow): void {
  const stages = using(configuration, dataType)
  if (stages.length) {
    throw refuse.needed(
      dataType.name,
      stages.map(({ name }) => name),
    )
  }
  let count = 0
  for (const _ of answersTo(db, dataType)) count++
  if (count) throw refuse.bad(`This data type has ${plural(count, 'answer')}, which would be lost.`)
}
