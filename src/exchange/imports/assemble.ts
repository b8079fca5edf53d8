/** Makes a plan from a draft: resolves names, translates conditions and calculations, and warns about what is lost. */
import { codeFrom } from '#design/dataTypes/rules'
import { fieldOrder } from '#design/stages/checks'
import type { ImportPlan, PlannedComponent, PlannedStage, PlannedType, Warning } from '#design/stages/importPlan'
import { descriptionOf, limitWarnings, nameOf, noteOf, parts, titleOf } from './bounds'
import { conditionOf, simplified } from './conditions'
import type { Draft, DraftField, DraftItem, DraftStage } from './draft'
import { calculationOf, type KnownField, type Names, questionOf, type Translation } from './expressions'
import { withExtras } from './extras'
import { codeFor, typeOf } from './fields'
import { conjuncts, keyOf } from './logic'
import { cut, pipedIn, quoted } from './texts'

/** A field of a stage and its data type, as the file describes it. */
type Made = {
  field: DraftField
  base: PlannedType
  key: string /** Another stage asked it before. */
  isAgain?: boolean
}

/** A data type, with the note of an export of this service. */
type Base = { type: PlannedType; extra?: Record<string, unknown> | undefined }

const finished = ({ type, extra }: Base): PlannedType => (extra ? withExtras({ ...type }, extra) : type)

/**
 * @param exact without calculations that hold conditions: for seeing what a format by itself can say
 */
export function assemble(draft: Draft, exact = false): ImportPlan {
  const warnings: Warning[] = [...draft.warnings]
  const warn = (field: string, problem: string) =>
    void warnings.push({ field: cut(field, 200), problem: cut(problem, 1000) })
  const types = new Map<string, Base>()
  const bySource = new Map<string, Made>()
  /** Calculations that are used as conditions, by expression. */
  const questions = new Map<string, string>()
  const taken = (code: string) => types.has(code)

  /** The data type of a field, created at its first occurrence. */
  function made(field: DraftField): Made {
    const { extra } = field
    if (extra?.same !== undefined && types.has(extra.same)) {
      return { field, base: typeOf(field, types.get(extra.same)!.type.code, () => {}), key: extra.same }
    }
    const known = draft.shares ? bySource.get(field.source) : undefined
    if (known) return { ...known, field, isAgain: true }
    const code = codeFor(field, taken, warn)
    const one: Made = { field, base: typeOf(field, code, warn), key: code.toLowerCase() }
    types.set(one.key, { type: one.base, extra: extra?.type })
    bySource.set(field.source, one)
    return one
  }

  function stageOf(stage: DraftStage): PlannedStage {
    const items = stage.items.filter((item) => !item.extra?.none)
    const fields = new Map<DraftItem, Made>()
    const names = new Map<string, KnownField>()
    const asked = new Set<string>()
    const know = ({ field, base }: Made) => {
      const known: KnownField = { code: base.code, format: base.format, settings: base }
      names.set(field.source.toLowerCase(), known)
      for (const { source, key } of field.rows ?? []) names.set(source.toLowerCase(), { ...known, statement: key })
    }
    for (const item of items) {
      if (item.kind !== 'field') continue
      const one = made(item)
      if (asked.has(one.key)) {
        warn(item.source, 'It is asked twice in the same form; the second time was left out.')
        continue
      }
      asked.add(one.key)
      fields.set(item, one)
      know(one)
    }
    const resolve: Names = (name) => names.get(name.toLowerCase())
    for (const [item, one] of fields) {
      if (one.field.format !== 'calculation') continue
      const computed = compute(one, resolve)
      fields.set(item, computed)
      know(computed)
    }
    const shownBy = new Map<string, Set<string>>()
    const shownOf = (item: DraftItem) => (item.shown ?? []).map(simplified)
    for (const [item, { key }] of fields) shownBy.set(key, new Set(shownOf(item).flatMap(conjuncts).map(keyOf)))

    const components: PlannedComponent[] = []
    const here = new Set<string>()
    let headings = 0
    for (const item of items) {
      const own = item.kind === 'field' ? fields.get(item) : undefined
      if (item.kind === 'field' && !own) continue
      const component: PlannedComponent = {
        id: own ? own.key : `heading_${++headings}`,
        ...(own ? { dataType: own.key } : { type: 'title' }),
        title: titleOf(item, warn) || own?.base.code || 'Section',
        ...(item.note ? { description: noteOf(item, warn) } : {}),
        ...(item.kind === 'field' && item.isRequired ? { isRequired: true } : {}),
      }
      const piped = pipedIn(`${item.title} ${item.note ?? ''}`).filter((name) => resolve(name))
      if (piped.length) warn(item.source, `Answers are not filled into texts here: ${piped.join(', ')}.`)
      if (item.shown?.length && item.extra?.component?.condition === undefined) show(component, item)
      components.push(withExtras(component, item.extra?.component) as PlannedComponent)
    }
    const planned: PlannedStage = {
      name: nameOf(stage, warn),
      ...(stage.description ? { description: descriptionOf(stage, warn) } : {}),
      ...stage.settings,
      components,
    }
    withoutCycles(planned)
    return withExtras(planned, stage.extra) as PlannedStage

    function show(component: PlannedComponent, item: DraftItem): void {
      const lost = (why: string) =>
        warn(
          item.source,
          `Its condition was left out, so that it is always shown, as ${why}: ${quoted(item.shownText ?? '')}`,
        )
      const carried = conditionOf(shownOf(item), resolve, shownBy)
      if (!carried) return
      if ('problem' in carried) {
        lost(carried.problem)
        return
      }
      if ('condition' in carried) {
        if (carried.note) warn(item.source, `It is ${carried.note}: ${quoted(item.shownText ?? '')}`)
        component.condition = carried.condition
        return
      }
      if (exact) return
      const asked = questionOf(carried.question, resolve)
      if ('problem' in asked) {
        lost(asked.problem)
        return
      }
      // Stages that share their fields also share the calculations that are used as conditions.
      let dataType = questions.get(asked.expression)
      if (dataType === undefined) {
        const code = codeFrom(`show_${component.dataType ?? component.id}`, taken)
        dataType = code.toLowerCase()
        const name = `Whether to show “${cut(component.title, 150)}”`
        types.set(dataType, { type: { name, code, format: 'calculation', expression: asked.expression } })
        questions.set(asked.expression, dataType)
      }
      if (!here.has(dataType)) {
        components.push({ id: dataType, dataType, title: types.get(dataType)!.type.name })
        here.add(dataType)
      }
      for (const note of asked.notes) warn(item.source, `In its condition, ${note}.`)
      const { code } = types.get(dataType)!.type
      warn(
        item.source,
        `Its condition takes several parts: the calculation ${code} holds it. ${quoted(item.shownText ?? '')}`,
      )
      component.condition = { dataType, operator: 'equal', value: 1 }
    }
  }

  /** Sets the expression of a calculation; one that cannot be computed in this stage becomes a text. */
  function compute(one: Made, names: Names): Made {
    const { field, base, isAgain } = one
    const { extra } = field
    // An export of this service describes a field with its first stage; this holds for all its stages.
    if (isAgain && bySource.get(field.source)!.field.extra?.type) return one
    const found: Translation = field.computed
      ? calculationOf(field.computed, names)
      : { problem: field.computedText ? 'it cannot be read' : 'it is empty' }
    const isNoted = extra?.same !== undefined || extra?.type?.expression !== undefined
    if ('problem' in found) {
      const problem = found.problem.replace(/\.$/, '')
      if (!isNoted) {
        warn(
          field.source,
          `It is not computed but a text to fill in, as ${problem}: ${quoted(field.computedText ?? '')}`,
        )
      }
      return isAgain && base.format === 'calculation' ? apart(one) : one
    }
    if (isAgain) return one
    base.format = 'calculation'
    base.expression = found.expression
    if (field.settings.decimals != null) base.decimals = field.settings.decimals
    if (!isNoted) for (const note of found.notes) warn(field.source, `In its calculation, ${note}.`)
    return one
  }

  /** A separate data type for a stage that cannot compute what another stage computes. */
  function apart({ field, base }: Made): Made {
    const { expression: _, decimals: __, ...rest } = base
    const code = codeFrom(base.code, taken)
    const own: PlannedType = { ...rest, code, format: 'text' }
    types.set(code.toLowerCase(), { type: own })
    return { field, base: own, key: code.toLowerCase() }
  }

  /** Removes conditions and calculations until none depends on itself. */
  function withoutCycles({ components }: PlannedStage): void {
    const keys = components.flatMap(({ dataType }) => dataType ?? []).filter((key) => types.has(key))
    const asked = new Map(keys.map((key) => [key, finished(types.get(key)!) as never]))
    for (;;) {
      const { cycle } = fieldOrder(components as never, asked)
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
      asked.set(key, type as never)
    }
  }

  const stages = draft.stages.flatMap((stage) => parts(stage, warn)).map(stageOf)
  return { stages, dataTypes: [...types.values()].map(finished), warnings: limitWarnings(warnings) }
}
