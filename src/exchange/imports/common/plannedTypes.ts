/** The data types of a plan: one for each field, and those that conditions need. */
import { codeFrom } from '#design/dataTypes/rules'
import type { PlannedComponent, PlannedType } from '#design/stages/importPlan'
import { referencesOf } from '#design/stages/references'
import { excerptOf } from '#documents/texts'
import { cut } from '#kernel/text'
import type { Draft, DraftField } from './draft'
import { calculationOf, type Names, type Translation } from './expressions'
import { withExtras } from './extras'
import { codeFor, typeOf } from './fields'

/** A field of a stage, and its data type as the file describes it. */
export type StageField = {
  field: DraftField
  type: PlannedType
  /** The code of the data type in lower case. */
  key: string
  /** Whether an earlier stage has the field, too. */
  isRepeated?: boolean
  /** Whether it is computed in the file and cannot be computed here: then it is not asked. */
  isUncomputed?: boolean
  /** Why its condition cannot be used here: then it is not asked. */
  conditionProblem?: string
}

/** A data type, and the fields that the note of one of our exports adds to it. */
type TypeEntry = { type: PlannedType; extra?: Record<string, unknown> | undefined }

const typeWithExtras = ({ type, extra }: TypeEntry): PlannedType => (extra ? withExtras({ ...type }, extra) : type)

/** Collects the data types of a plan. @param warn called with what is lost */
export function plannedTypes(draft: Draft, warn: (field: string, problem: string) => void) {
  const types = new Map<string, TypeEntry>()
  const bySource = new Map<string, StageField>()
  /** The keys of the calculations that were added for conditions, by expression. */
  const calculations = new Map<string, string>()
  const taken = (code: string) => types.has(code)

  /** The field with its data type, which is created at its first occurrence. */
  function stageField(field: DraftField): StageField {
    const { extra } = field
    if (extra?.same !== undefined && types.has(extra.same)) {
      return { field, type: typeOf(field, types.get(extra.same)!.type.code, () => {}), key: extra.same }
    }
    const known = draft.shares ? bySource.get(field.source) : undefined
    if (known) return { ...known, field, isRepeated: true }
    const code = codeFor(field, taken, warn)
    const one: StageField = { field, type: typeOf(field, code, warn), key: code.toLowerCase() }
    types.set(one.key, { type: one.type, extra: extra?.type })
    bySource.set(field.source, one)
    return one
  }

  /** Sets the expression of a calculation; one that cannot be computed in this stage becomes a hidden text. */
  function compute(one: StageField, names: Names): StageField {
    const { field, type, isRepeated } = one
    // Our own exports describe a field in its first stage, for all its stages.
    if (isRepeated && bySource.get(field.source)!.field.extra?.type) return one
    const result: Translation = field.computed
      ? calculationOf(field.computed, names)
      : { problem: field.computedText ? 'it cannot be read' : 'it is empty' }
    if ('problem' in result) return withoutCalculation(one, result.problem.replace(/\.$/, ''))
    if (isRepeated) return one
    type.format = 'calculation'
    type.expression = result.expression
    if (field.settings.decimals != null) type.decimals = field.settings.decimals
    if (!isNoted(field)) for (const note of result.notes) warn(field.source, `In its calculation, ${note}.`)
    return one
  }

  /** The field as a hidden text, with the text of its calculation as annotation. */
  function withoutCalculation(one: StageField, why: string): StageField {
    const { field, isRepeated } = one
    const source = field.computedText ?? ''
    if (!isNoted(field))
      warn(
        field.source,
        `It is not computed here but a hidden text that nobody is asked, as ${why}: ${excerptOf(source)}`,
      )
    const own = isRepeated && one.type.format === 'calculation' ? withOwnType(one) : one
    const { type } = own
    delete type.expression
    delete type.decimals
    type.format = 'text'
    if (source) annotate(type, `Calculation in the file: ${source}`)
    return { ...own, isUncomputed: true }
  }

  /** The field with a data type of its own, for a stage that cannot compute what an earlier stage computes. */
  function withOwnType(one: StageField): StageField {
    const code = codeFrom(one.type.code, taken)
    const type: PlannedType = { ...one.type, code }
    types.set(code.toLowerCase(), { type })
    return { ...one, type, key: code.toLowerCase() }
  }

  /** The key of the calculation that holds the condition of a component. */
  function conditionCalculation({ id, dataType, title }: PlannedComponent, expression: string): string {
    // Stages that share their fields also share the calculations of their conditions.
    const known = calculations.get(expression)
    if (known !== undefined) return known
    const code = codeFrom(`show_${dataType ?? id}`, taken)
    const key = code.toLowerCase()
    types.set(key, { type: { name: `Whether to show “${cut(title, 150)}”`, code, format: 'calculation', expression } })
    calculations.set(expression, key)
    return key
  }

  return {
    ...{ stageField, compute, uncomputed: withoutCalculation, ofCondition: conditionCalculation },
    /** Leaves out what a note of one of our exports adds to the data type. */
    withoutNote: ({ key, type }: StageField) => void types.set(key, { type }),
    byKey: (key: string): PlannedType | undefined => types.get(key)?.type,
    referencesOf: (key: string) => referencesOf(typeWithExtras(types.get(key)!)),
    all: (): PlannedType[] => [...types.values()].map(typeWithExtras),
  }
}

/** Adds a line to the annotation of a data type, unless it has it. */
export function annotate(type: PlannedType, line: string): void {
  const lines = type.annotation?.split('\n') ?? []
  if (!lines.includes(line)) type.annotation = cut([...lines, line].join('\n'), 20_000)
}

/** Whether the note of one of our exports describes the calculation. */
export const isNoted = ({ extra }: DraftField): boolean =>
  extra?.same !== undefined || extra?.type?.expression !== undefined
