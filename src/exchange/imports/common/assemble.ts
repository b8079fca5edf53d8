/** Makes a plan of a draft: resolves names, translates conditions and calculations, and warns about what is lost. */
import type { ImportPlan, PlannedComponent, PlannedStage, Warning } from '#design/stages/importPlan'
import { excerptOf, pipedFieldNames } from '#documents/texts'
import { cut } from '#kernel/text'
import { descriptionOf, limitWarnings, nameOf, noteOf, splitStage, titleOf, withNamesOfOneLine } from './bounds'
import type { Draft, DraftItem, DraftStage } from './draft'
import { type KnownField, type Names, uncomputedIn } from './expressions'
import { withExtras } from './extras'
import { annotate, isNoted, plannedTypes, type StageField } from './plannedTypes'
import { constraintOf } from './softRange'
import { type DisplayRule, translateConditions } from './stageConditions'

/**
 * Makes the plan. It can always be made: what does not fit is left out with a warning.
 * @param exact leaves out what a condition needs besides: calculations, and hidden fields. An export uses it to see what the
 * format can hold by itself
 */
export function assemble(draft: Draft, exact = false): ImportPlan {
  const warnings: Warning[] = [...draft.warnings]
  /** Warnings about questions that are not asked: they come first. */
  const unasked: Warning[] = []
  const warn = (field: string, problem: string, list = warnings) =>
    void list.push({ field: cut(field, 200), problem: cut(problem, 1000) })
  const types = plannedTypes(draft, warn)

  function stageOf(stage: DraftStage): PlannedStage {
    const items = stage.items.filter((item) => !item.extra?.none)
    const fields = new Map<DraftItem, StageField>()
    const names = new Map<string, KnownField>()
    const askedKeys = new Set<string>()
    const setField = (item: DraftItem, one: StageField) => {
      const { field, type } = one
      fields.set(item, one)
      const unsupportedUse = one.conditionProblem
        ? 'asked'
        : one.isUncomputed && !isNoted(field)
          ? 'computed'
          : undefined
      const known: KnownField = { code: type.code, format: type.format, settings: type, unsupportedUse }
      names.set(field.source.toLowerCase(), known)
      for (const { source, key } of field.rows ?? []) names.set(source.toLowerCase(), { ...known, statement: key })
    }
    for (const item of items) {
      if (item.kind !== 'field') continue
      const one = types.stageField(item)
      if (askedKeys.has(one.key)) {
        warn(item.source, 'It is asked twice in the same form; the second time was left out.')
        continue
      }
      askedKeys.add(one.key)
      setField(item, one)
    }
    const resolve: Names = (name) => names.get(name.toLowerCase())
    for (const [item, one] of fields)
      if (one.field.format === 'calculation') setField(item, types.compute(one, resolve))
    giveUpDependents()

    const shown = displayRules()
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
        ...(own ? fieldProperties(own) : {}),
      }
      const references = pipedFieldNames(`${item.title} ${item.note ?? ''}`).filter((name) => resolve(name))
      if (references.length) warn(item.source, `Answers are not filled into texts here: ${references.join(', ')}.`)
      const extra = { ...item.extra?.component }
      const result = shown.get(item)
      if (result && 'problem' in result)
        for (const field of ['condition', 'isHidden', 'isRequired'] as const) delete extra[field]
      if (result) setCondition(component, item, result)
      components.push(withExtras(component, extra) as PlannedComponent)
    }
    const planned: PlannedStage = {
      name: nameOf(stage, warn),
      ...(stage.description ? { description: descriptionOf(stage, warn) } : {}),
      ...stage.settings,
      ...(stage.waits ? { waits: stage.waits } : {}),
      ...(stage.groups ? { groups: stage.groups } : {}),
      components,
    }
    return withExtras(planned, stage.extra) as PlannedStage

    /**
     * How each item with a condition is shown. Calculations that depend on themselves become texts; whose condition means nothing here is
     * not asked, and then what needs its answer is neither asked nor computed.
     */
    function displayRules(): ReadonlyMap<DraftItem, DisplayRule> {
      const conditional = items.flatMap((item) => {
        const notedCondition = item.extra?.component?.condition
        const isAsked = item.kind === 'heading' || fields.has(item)
        if (!isAsked || !(item.conditions?.length || item.unread || notedCondition !== undefined)) return []
        const one = fields.get(item)
        const problem = one?.conditionProblem ?? (notedCondition === undefined ? item.unread : undefined)
        return [{ item, key: one?.key, notedCondition, problem }]
      })
      const computedFrom = new Map([...fields.values()].map(({ key }) => [key, types.referencesOf(key)] as const))
      const found = translateConditions({ items: conditional, names: resolve, computedFrom })
      let isSettled = !found.calculations.size
      for (const [item, result] of found.shown) {
        const one = fields.get(item)
        if (exact || !one || one.conditionProblem !== undefined || !('problem' in result)) continue
        setField(item, { ...one, conditionProblem: result.problem })
        isSettled = false
      }
      if (isSettled) return found.shown
      for (const [item, one] of fields) {
        const why = found.calculations.get(one.key)
        if (why === undefined) continue
        types.withoutNote(one)
        setField(item, types.uncomputed(one, why))
      }
      giveUpDependents()
      return displayRules()
    }

    /** Gives up the calculations that need one that is not computed here, and those that need these. */
    function giveUpDependents(): void {
      for (let hasMore = true; hasMore; ) {
        hasMore = false
        for (const [item, one] of fields) {
          const why = one.isUncomputed || isNoted(one.field) ? undefined : uncomputedIn(one.field.computed, resolve)
          if (why === undefined) continue
          setField(item, types.uncomputed(one, why))
          hasMore = true
        }
      }
    }

    /** Sets the condition of a component. If it takes a calculation, this is added as a component before it. */
    function setCondition(component: PlannedComponent, item: DraftItem, result: DisplayRule): void {
      const text = excerptOf(item.conditionText ?? '')
      if ('problem' in result) {
        if (exact) return
        warn(
          item.source,
          `It is not asked, as its condition cannot be used here, since ${result.problem}: ${text}`,
          unasked,
        )
        delete component.isRequired
        component.isHidden = true
        const type = types.byKey(component.dataType ?? '')
        if (type) annotate(type, `Condition in the file: ${item.conditionText}`)
        return
      }
      if ('condition' in result) {
        component.condition = result.condition
        return
      }
      if (exact) return
      const { expression, notes } = result
      const dataType = types.ofCondition(component, expression)
      const { name, code } = types.byKey(dataType)!
      if (!added.has(dataType)) {
        components.push({ id: dataType, dataType, title: name, isHidden: true })
        added.add(dataType)
      }
      for (const note of notes) warn(item.source, `In its condition, ${note}.`)
      warn(item.source, `Its condition is held by the calculation ${code}: ${text}`)
      component.condition = { dataType, operator: 'equal', value: 1 }
    }
  }

  const stages = draft.stages.flatMap((stage) => splitStage(stage, warn)).map(stageOf)
  return withNamesOfOneLine({
    stages,
    dataTypes: types.all(),
    warnings: limitWarnings([...unasked, ...warnings]),
  })
}

/** The properties of a field component that say how it is asked. */
function fieldProperties({ field, type, isUncomputed }: StageField): Partial<PlannedComponent> {
  const isHidden = field.isHidden || isUncomputed
  const constraint = field.softRange && constraintOf(type.code, type.format, field.softRange)
  return {
    ...(field.isRequired && !isHidden ? { isRequired: true } : {}),
    ...(isHidden ? { isHidden: true } : {}),
    ...(constraint ? { constraint } : {}),
  }
}
