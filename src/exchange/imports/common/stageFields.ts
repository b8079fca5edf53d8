/** The fields of a stage while it is planned: which are asked, which are computed, and how each item is shown. */
import type { DraftItem, DraftStage, Warn } from './draft'
import { type KnownField, type Names, uncomputedIn } from './expressions'
import { isNoted, type plannedTypes, type StageField } from './plannedTypes'
import { type DisplayRule, translateConditions } from './stageConditions'

/** What all stages of a plan have in common. */
export type PlanContext = {
  types: ReturnType<typeof plannedTypes>
  warn: Warn
  /** Warns about a question that is not asked: these warnings come first. */
  warnUnasked: Warn
  /** Leaves out what a condition needs besides: calculations, and hidden fields. */
  exact: boolean
}

export type StageFields = PlanContext & {
  items: readonly DraftItem[]
  fields: Map<DraftItem, StageField>
  /** The fields, and the statements of Likerts, by their names in the file in lower case. */
  known: Map<string, KnownField>
  names: Names
}

/** Finds the fields of a stage. Calculations that cannot be computed here are given up. */
export function fieldsOfStage(context: PlanContext, { items }: DraftStage): StageFields {
  const known = new Map<string, KnownField>()
  const stage: StageFields = {
    ...context,
    items: items.filter((item) => !item.extra?.none),
    fields: new Map(),
    known,
    names: (name) => known.get(name.toLowerCase()),
  }
  addFields(stage)
  for (const [item, one] of stage.fields)
    if (one.field.format === 'calculation') setField(stage, item, stage.types.compute(one, stage.names))
  giveUpDependents(stage)
  return stage
}

function addFields(stage: StageFields): void {
  const askedKeys = new Set<string>()
  for (const item of stage.items) {
    if (item.kind !== 'field') continue
    const one = stage.types.stageField(item)
    if (askedKeys.has(one.key)) {
      stage.warn(item.source, 'It is asked twice in the same form; the second time was left out.')
      continue
    }
    askedKeys.add(one.key)
    setField(stage, item, one)
  }
}

function setField({ fields, known }: StageFields, item: DraftItem, one: StageField): void {
  const { field, type } = one
  fields.set(item, one)
  const isUncomputed = one.isUncomputed && !isNoted(field)
  const unsupportedUse = one.conditionProblem ? 'asked' : isUncomputed ? 'computed' : undefined
  const entry: KnownField = { code: type.code, format: type.format, settings: type, unsupportedUse }
  known.set(field.source.toLowerCase(), entry)
  for (const { source, key } of field.rows ?? []) known.set(source.toLowerCase(), { ...entry, statement: key })
}

/** Gives up the calculations that need one that is not computed here, and those that need these. */
function giveUpDependents(stage: StageFields): void {
  for (let hasMore = true; hasMore; ) {
    hasMore = false
    for (const [item, one] of stage.fields) {
      const why = one.isUncomputed || isNoted(one.field) ? undefined : uncomputedIn(one.field.computed, stage.names)
      if (why === undefined) continue
      setField(stage, item, stage.types.uncomputed(one, why))
      hasMore = true
    }
  }
}

/**
 * How each item with a condition is shown. Calculations that depend on themselves become texts; whose condition means nothing here is
 * not asked, and then what needs its answer is neither asked nor computed.
 */
export function displayRules(stage: StageFields): ReadonlyMap<DraftItem, DisplayRule> {
  const { fields, types, names } = stage
  const computedFrom = new Map([...fields.values()].map(({ key }) => [key, types.referencesOf(key)] as const))
  const found = translateConditions({ items: conditionalItems(stage), names, computedFrom })
  if (!giveUpConditions(stage, found.shown) && !found.calculations.size) return found.shown
  for (const [item, one] of fields) {
    const why = found.calculations.get(one.key)
    if (why === undefined) continue
    types.withoutNote(one)
    setField(stage, item, types.uncomputed(one, why))
  }
  giveUpDependents(stage)
  return displayRules(stage)
}

function conditionalItems({ items, fields }: StageFields) {
  return items.flatMap((item) => {
    const notedCondition = item.extra?.component?.condition
    const one = fields.get(item)
    const isAsked = item.kind === 'heading' || one
    if (!isAsked || !(item.conditions?.length || item.unread || notedCondition !== undefined)) return []
    const problem = one?.conditionProblem ?? (notedCondition === undefined ? item.unread : undefined)
    return [{ item, key: one?.key, notedCondition, problem }]
  })
}

/** Notes the fields whose condition cannot be used here. Returns whether there are new ones. */
function giveUpConditions(stage: StageFields, shown: ReadonlyMap<DraftItem, DisplayRule>): boolean {
  let hasNew = false
  for (const [item, rule] of shown) {
    const one = stage.fields.get(item)
    if (stage.exact || !one || one.conditionProblem !== undefined || !('problem' in rule)) continue
    setField(stage, item, { ...one, conditionProblem: rule.problem })
    hasNew = true
  }
  return hasNew
}
