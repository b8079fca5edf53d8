/** Makes a plan of a draft: resolves names, translates conditions and calculations, and warns about what is lost. */
import { codeFrom } from '#design/dataTypes/rules'
import { fieldOrder } from '#design/stages/checks'
import type { ImportPlan, PlannedComponent, PlannedStage, PlannedType, Warning } from '#design/stages/importPlan'
import { cut } from '#kernel/text'
import { descriptionOf, limitWarnings, nameOf, noteOf, splitStage, titleOf } from './bounds'
import { conditionOf, simplified } from './conditions'
import type { Draft, DraftField, DraftItem, DraftStage } from './draft'
import { calculationOf, conditionCalculationOf, type KnownField, type Names, type Translation } from './expressions'
import { withExtras } from './extras'
import { codeFor, typeOf } from './fields'
import { conjuncts, keyOf } from './logic'
import { pipedIn, quoted } from './texts'

/** A field of a stage, and its data type as the file describes it. */
type StageField = {
  field: DraftField
  type: PlannedType
  /** The code of the data type in lower case. */
  key: string
  /** Whether an earlier stage has the field, too. */
  isAgain?: boolean
}

/** A data type, and the fields that the note of one of our exports adds to it. */
type TypeEntry = { type: PlannedType; extra?: Record<string, unknown> | undefined }

const typeWithExtras = ({ type, extra }: TypeEntry): PlannedType => (extra ? withExtras({ ...type }, extra) : type)

/**
 * Makes the plan. It can always be made: what does not fit is left out with a warning.
 * @param exact adds no calculations for conditions. An export uses it to see what the format can hold by itself
 */
export function assemble(draft: Draft, exact = false): ImportPlan {
  const warnings: Warning[] = [...draft.warnings]
  const warn = (field: string, problem: string) =>
    void warnings.push({ field: cut(field, 200), problem: cut(problem, 1000) })
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
    if (known) return { ...known, field, isAgain: true }
    const code = codeFor(field, taken, warn)
    const one: StageField = { field, type: typeOf(field, code, warn), key: code.toLowerCase() }
    types.set(one.key, { type: one.type, extra: extra?.type })
    bySource.set(field.source, one)
    return one
  }

  function stageOf(stage: DraftStage): PlannedStage {
    const items = stage.items.filter((item) => !item.extra?.none)
    const fields = new Map<DraftItem, StageField>()
    const names = new Map<string, KnownField>()
    const asked = new Set<string>()
    const addName = ({ field, type }: StageField) => {
      const known: KnownField = { code: type.code, format: type.format, settings: type }
      names.set(field.source.toLowerCase(), known)
      for (const { source, key } of field.rows ?? []) names.set(source.toLowerCase(), { ...known, statement: key })
    }
    for (const item of items) {
      if (item.kind !== 'field') continue
      const one = stageField(item)
      if (asked.has(one.key)) {
        warn(item.source, 'It is asked twice in the same form; the second time was left out.')
        continue
      }
      asked.add(one.key)
      fields.set(item, one)
      addName(one)
    }
    const resolve: Names = (name) => names.get(name.toLowerCase())
    for (const [item, one] of fields) {
      if (one.field.format !== 'calculation') continue
      const computed = compute(one, resolve)
      fields.set(item, computed)
      addName(computed)
    }
    const conditionsOf = (item: DraftItem) => (item.conditions ?? []).map(simplified)
    const conditionsByField = new Map<string, Set<string>>()
    for (const [item, { key }] of fields)
      conditionsByField.set(key, new Set(conditionsOf(item).flatMap(conjuncts).map(keyOf)))

    const components: PlannedComponent[] = []
    /** The calculations that were added to this stage. */
    const added = new Set<string>()
    let headings = 0
    for (const item of items) {
      const own = item.kind === 'field' ? fields.get(item) : undefined
      if (item.kind === 'field' && !own) continue
      const component: PlannedComponent = {
        id: own ? own.key : `heading_${++headings}`,
        ...(own ? { dataType: own.key } : { type: 'title' }),
        title: titleOf(item, warn) || own?.type.code || 'Section',
        ...(item.note ? { description: noteOf(item, warn) } : {}),
        ...(item.kind === 'field' && item.isRequired ? { isRequired: true } : {}),
      }
      const references = pipedIn(`${item.title} ${item.note ?? ''}`).filter((name) => resolve(name))
      if (references.length) warn(item.source, `Answers are not filled into texts here: ${references.join(', ')}.`)
      if (item.conditions?.length && item.extra?.component?.condition === undefined) setCondition(component, item)
      components.push(withExtras(component, item.extra?.component) as PlannedComponent)
    }
    const planned: PlannedStage = {
      name: nameOf(stage, warn),
      ...(stage.description ? { description: descriptionOf(stage, warn) } : {}),
      ...stage.settings,
      components,
    }
    removeCycles(planned)
    return withExtras(planned, stage.extra) as PlannedStage

    /** Sets the condition of a component. If it takes a calculation, this is added as a component before it. */
    function setCondition(component: PlannedComponent, item: DraftItem): void {
      const text = quoted(item.conditionText ?? '')
      const lost = (why: string) =>
        warn(item.source, `Its condition was left out, so that it is always shown, as ${why}: ${text}`)
      const result = conditionOf(conditionsOf(item), resolve, conditionsByField)
      if (!result) return
      if ('problem' in result) {
        lost(result.problem)
        return
      }
      if ('condition' in result) {
        if (result.note) warn(item.source, `It is ${result.note}: ${text}`)
        component.condition = result.condition
        return
      }
      if (exact) return
      const calculation = conditionCalculationOf(result.calculation, resolve)
      if ('problem' in calculation) {
        lost(calculation.problem)
        return
      }
      const { expression, notes } = calculation
      // Stages that share their fields also share the calculations of their conditions.
      let dataType = calculations.get(expression)
      if (dataType === undefined) {
        const code = codeFrom(`show_${component.dataType ?? component.id}`, taken)
        dataType = code.toLowerCase()
        const name = `Whether to show “${cut(component.title, 150)}”`
        types.set(dataType, { type: { name, code, format: 'calculation', expression } })
        calculations.set(expression, dataType)
      }
      if (!added.has(dataType)) {
        components.push({ id: dataType, dataType, title: types.get(dataType)!.type.name })
        added.add(dataType)
      }
      for (const note of notes) warn(item.source, `In its condition, ${note}.`)
      const { code } = types.get(dataType)!.type
      warn(item.source, `Its condition takes several parts: the calculation ${code} holds it. ${text}`)
      component.condition = { dataType, operator: 'equal', value: 1 }
    }
  }

  /** Sets the expression of a calculation; one that cannot be computed in this stage becomes a text. */
  function compute(one: StageField, names: Names): StageField {
    const { field, type, isAgain } = one
    const { extra } = field
    // Our own exports describe a field in its first stage, for all its stages.
    if (isAgain && bySource.get(field.source)!.field.extra?.type) return one
    const result: Translation = field.computed
      ? calculationOf(field.computed, names)
      : { problem: field.computedText ? 'it cannot be read' : 'it is empty' }
    const isNoted = extra?.same !== undefined || extra?.type?.expression !== undefined
    if ('problem' in result) {
      const problem = result.problem.replace(/\.$/, '')
      if (!isNoted) {
        warn(
          field.source,
          `It is not computed but a text to fill in, as ${problem}: ${quoted(field.computedText ?? '')}`,
        )
      }
      return isAgain && type.format === 'calculation' ? withOwnType(one) : one
    }
    if (isAgain) return one
    type.format = 'calculation'
    type.expression = result.expression
    if (field.settings.decimals != null) type.decimals = field.settings.decimals
    if (!isNoted) for (const note of result.notes) warn(field.source, `In its calculation, ${note}.`)
    return one
  }

  /** The field with a data type of its own, a text, for a stage that cannot compute what an earlier stage computes. */
  function withOwnType({ field, type }: StageField): StageField {
    const { expression: _, decimals: __, ...rest } = type
    const code = codeFrom(type.code, taken)
    const own: PlannedType = { ...rest, code, format: 'text' }
    types.set(code.toLowerCase(), { type: own })
    return { field, type: own, key: code.toLowerCase() }
  }

  /** Removes conditions and calculations until none depends on itself. */
  function removeCycles({ components }: PlannedStage): void {
    const keys = components.flatMap(({ dataType }) => dataType ?? []).filter((key) => types.has(key))
    const asked = new Map(keys.map((key) => [key, typeWithExtras(types.get(key)!)]))
    for (;;) {
      const { cycle } = fieldOrder(components, asked)
      if (!cycle) return
      const parts = components.filter(({ dataType }) => dataType && cycle.includes(dataType))
      const shown = parts.find(({ condition }) => condition && cycle.includes(condition.dataType))
      const why = `It waits for itself (${cycle.join(' → ')})`
      if (shown) {
        delete shown.condition
        warn(shown.dataType!, `${why}: its condition was left out.`)
        continue
      }
      const key = parts[0]!.dataType!
      const { type } = types.get(key)!
      warn(type.code, `${why}: it is a text to fill in. ${quoted(type.expression ?? '')}`)
      type.format = 'text'
      delete type.expression
      delete type.decimals
      types.set(key, { type })
      asked.set(key, type)
    }
  }

  const stages = draft.stages.flatMap((stage) => splitStage(stage, warn)).map(stageOf)
  return { stages, dataTypes: [...types.values()].map(typeWithExtras), warnings: limitWarnings(warnings) }
}
