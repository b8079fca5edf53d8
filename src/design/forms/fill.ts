/** A form filled in: what was given, what is computed from it, what is shown (docs/forms.md, "Submissions"). */

import type { Expression } from '#design/dataTypes/expressions'
import type { Operand } from '#design/dataTypes/operands'
import { isBlank, normalise } from '#design/dataTypes/values'
import type { SubmitAction } from '#design/stages/components'
import { onSubmit } from '#design/stages/scoring'
import type { At } from '#kernel/calendar'
import { isSame } from '#kernel/json'
import type { Field, Form, Sent } from './form'

/** A change of one field; null is a blank. */
export type Change = { dataType: string; value: unknown; before: unknown }

type Problems = Readonly<Record<string, string>>

export type Filled = {
  /** By data type: not the JSON that the format takes (422). */
  wrong: Problems
  /** By data type: outside what the settings allow (400). */
  unfit: Problems
  /** By data type: required, shown and blank (400); always empty where the stage allows incomplete submission. */
  missing: Problems
  /** All answers that are not blank, after merging, clearing what is hidden, and calculating. */
  values: Record<string, unknown>
  changes: Change[]
  /** The data types of components that are not shown. */
  hidden: string[]
  score?: number
  partial: boolean
  messages: SubmitAction[]
}

const none: Problems = Object.freeze({})
const NOTHING_FOLLOWS: SubmitAction[] = []

/**
 * Fills in a form: checks what was sent, merges it with the current answers, clears what is not shown, computes, scores.
 * Where `wrong`, `unfit` or `missing` has entries the submission is to be refused, and the rest is of no use.
 * @param current the answers so far, by data type
 * @param sent by data type; what is no field of the stage is ignored
 */
export function fillForm(
  form: Form,
  current: Readonly<Record<string, unknown>>,
  sent: Readonly<Record<string, Sent>>,
  at: At,
): Filled {
  const values: Record<string, unknown> = {}
  for (const dataType in current) {
    if (!form.dataTypes.has(dataType) && !isBlank(current[dataType])) values[dataType] = current[dataType]
  }
  const changes: Change[] = []
  const hidden: string[] = []
  let [wrong, unfit, missing] = [none, none, none]
  const lookup = (code: string): Operand => {
    const operand = form.operands.get(code)
    return operand ? operand.read(values[operand.dataType], at.zone) : null
  }
  for (const field of form.fields) {
    const { dataType, title, calculation } = field
    const held = current[dataType]
    const before = isBlank(held) ? undefined : held
    const answer = given(field, sent[dataType], before)
    // What did not change is not checked again, as settings may have become narrower since.
    const isNew = answer !== undefined && answer !== before && !isSame(answer, before)
    const trouble = isNew ? field.check(answer, at) : undefined
    const isShown = shown(field, form, values, at.zone)
    if (trouble?.kind === 'wrong') wrong = { ...wrong, [dataType]: `“${title}” ${trouble.problem}.` }
    else if (trouble && isShown) unfit = { ...unfit, [dataType]: `“${title}” ${trouble.problem}.` }
    let value: unknown
    if (isShown) {
      if (calculation !== undefined) value = computed(calculation, lookup, at)
      else value = trouble ? before : answer
      const lacking = field.isRequired && !trouble ? lack(field, value) : undefined
      if (lacking) missing = { ...missing, [dataType]: lacking }
      if (value !== undefined) values[dataType] = value
    } else hidden.push(dataType)
    if (value !== before && !isSame(value, before)) {
      changes.push({ dataType, value: value ?? null, before: before ?? null })
    }
  }
  const score = form.score?.(values, at.zone)
  return {
    wrong,
    unfit,
    missing: form.allowsIncomplete ? none : missing,
    values,
    changes,
    hidden,
    ...(score === undefined ? {} : { score }),
    partial: form.allowsIncomplete && missing !== none,
    messages: form.rules.length ? onSubmit(form.rules, score) : NOTHING_FOLLOWS,
  }
}

/** The answer that was given to a field: what was sent for it, or else what was there before. */
function given({ asked }: Field, sent: Sent | undefined, before: unknown): unknown {
  return sent === undefined || sent.value === undefined ? before : normalise(asked, sent.value)
}

/** What a calculation gives; undefined if it has no usable expression, or no value. */
function computed(calculation: Expression | null, lookup: (code: string) => Operand, at: At): unknown {
  return calculation?.evaluate(lookup, at) ?? undefined
}

/** Whether a field is shown beside these answers, which hold those of the fields before it. */
function shown({ shownBy }: Field, form: Form, answers: Readonly<Record<string, unknown>>, zone: string): boolean {
  if (shownBy === undefined) return true
  return form.dataTypes.has(shownBy.dataType) && shownBy.holds(answers[shownBy.dataType], zone)
}

/** What a field that must be answered still lacks; undefined if it lacks nothing. */
function lack(field: Field, value: unknown): string | undefined {
  if (value === undefined) return `“${field.title}” is required.`
  if (!field.statements) return undefined
  const open = field.statements.filter(({ key }) => !Object.hasOwn(value as object, key))
  if (!open.length) return undefined
  return `“${field.title}” needs an answer to: ${open.map(({ label }) => `“${label}”`).join(', ')}.`
}
