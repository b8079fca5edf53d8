/**
 * Refuses to let a field that is hidden from the editor decide or compute anything: what it shows, adds to a score or starts
 * would reveal its answers (docs/permissions.md, "Hidden fields").
 */
import { type Access, holds, noPlaces } from '#access/caller'
import type { Db } from '#db/open'
import { type HiddenFieldTest, hasNoHiddenFields, hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Component } from '#design/stages/components'
import { namesInExpression, referencesOf } from '#design/stages/references'
import type { StageRow } from '#design/stages/store'
import { settingsOf } from '#design/trials/rules'
import { type Trial, trialById } from '#design/trials/store'
import type { Id } from '#kernel/id'
import { canonicalJson } from '#kernel/json'
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'
import { type Configuration, configuration } from './configuration'
import { instructionsFor } from './queryRules'

/** What uses a field, as the beginning of a sentence, and the field's `_id`. */
type FieldUse = { what: Reason; field: Id }

type FieldUses = Map<string, FieldUse>

const add = (uses: FieldUses, what: Reason, field: Id, content: unknown) =>
  uses.set(canonicalJson([field, content]), { what, field })

/** The uses by the condition, constraint and scoring rules of a component, and by the submit rules of its stage. */
function addComponent(uses: FieldUses, stage: StageRow, component: Component, byCode: ReadonlyMap<string, Id>): void {
  const { id, title, dataType, condition, constraint, scoringRules } = component
  const of = { title, stage: stage.name }
  // A constraint that is not met asks a query, or refuses the answer.
  for (const code of constraint ? namesInExpression(constraint.expression).keys() : []) {
    const field = byCode.get(code)
    if (field) add(uses, reason('theConstraint', of), field, [stage._id, dataType ?? id, constraint])
  }
  // A component with a condition reveals the answer by being shown or not.
  if (condition) add(uses, reason('theCondition', of), condition.dataType, [stage._id, dataType ?? id, condition])
  if (!dataType || !scoringRules?.length) return
  for (const rule of scoringRules) add(uses, reason('aScoringRule', of), dataType, [stage._id, rule])
  // The rules test the whole score, which reveals more if anything else that counts for it changes.
  const scoring = stage.components.map((each) => each.scoringRules?.length && [each.dataType, each.scoringRules])
  for (const rule of stage.onSubmitRules) {
    add(uses, reason('aSubmitRule', { stage: stage.name }), dataType, [stage._id, rule, scoring])
  }
}

/**
 * All uses of hidden fields, by their content. Of the instructions for automatic queries only the rules count: the AI endpoint,
 * which the rest is for, gets no answers to restricted and personal fields.
 */
function hiddenUses(config: Configuration, instructions: string | null, hidden: HiddenFieldTest): FieldUses {
  const { dataTypes, stageOrder } = config
  const uses: FieldUses = new Map()
  const byCode = new Map([...dataTypes.values()].map(({ code, _id }) => [code.toLowerCase(), _id]))
  for (const dataType of dataTypes.values()) {
    for (const code of referencesOf(dataType)) {
      const field = byCode.get(code)
      const { _id, name, expression, decimals } = dataType
      if (field) add(uses, reason('theCalculation', { name }), field, [_id, expression, decimals])
    }
  }
  for (const stage of stageOrder) {
    for (const component of stage.components) addComponent(uses, stage, component, byCode)
  }
  for (const { line, expression } of instructionsFor(config, instructions).rules) {
    for (const code of expression.references)
      add(uses, reason('theQueryRule', { line }), byCode.get(code)!, ['rule', line])
  }
  return new Map([...uses].filter(([, { field }]) => hidden(field)))
}

/** The refusal (403) of something that uses a hidden field. @param what the beginning of a sentence */
function hiddenUseRefusal(config: Configuration, access: Access, { what, field }: FieldUse) {
  const { name } = config.dataTypes.get(field)!
  const { isRestricted, isPii } = config.withInheritedFlags.get(field)!
  const needs = [
    isRestricted && ('readParticipantStudyDataRestricted' as const),
    isPii && ('readParticipantStudyDataPii' as const),
  ].flatMap((key) => (key && !holds(access, key) ? [`trial.${key}`] : []))
  return refuse.forbidden('usesHiddenField', { what, name, needs }, { needs })
}

/**
 * Makes a change of the configuration. Refuses (403) one after which a condition, constraint, calculation, scoring rule, submit
 * rule or rule of automatic queries uses a field that is hidden from the caller, if it did not before: because it is new or another one, or because the field
 * was visible before.
 */
export function changeWithoutHiddenUses<T>(
  { db, trial, access }: { db: Db; trial: Trial; access: Access },
  change: () => T,
): T {
  const before = configuration(db, trial)
  const hiddenBefore = hiddenFrom(before, access, noPlaces)
  if (hasNoHiddenFields(hiddenBefore)) return change()
  const result = change()
  const changed = trialById(db, trial._id)!
  const after = configuration(db, changed)
  const known = hiddenUses(before, instructionsOf(trial), hiddenBefore)
  for (const [content, use] of hiddenUses(after, instructionsOf(changed), hiddenFrom(after, access, noPlaces))) {
    if (!known.has(content)) throw hiddenUseRefusal(after, access, use)
  }
  return result
}

const instructionsOf = (trial: Trial) => settingsOf(trial).smartAutomaticQueryInstructions ?? null
