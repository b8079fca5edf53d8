/**
 * A stage as it is filled in: compiled once per stage version, then applied to every submission. See docs/forms.md,
 * "Submissions".
 */

import { compileExpression, type Expression } from '#design/dataTypes/expressions'
import type { Operand } from '#design/dataTypes/operands'
import { operandOf } from '#design/dataTypes/operands'
import { type Check, isBlank, normalise, valueCheck } from '#design/dataTypes/values'
import { byCode, type FieldType, type FieldTypes, fieldOrder } from '#design/stages/checks'
import type { Component, OnSubmitRule, SubmitAction } from '#design/stages/components'
import { compileCondition, type Holds } from '#design/stages/conditions'
import { type Answers, compileScore, onSubmit } from '#design/stages/scoring'
import type { At } from '#kernel/calendar'
import { type Instant, MINUTE } from '#kernel/time'

/** What of a stage its form is made from. */
export type FormStage = {
  components: readonly Component[]
  allowIncompleteSubmission?: boolean | null
  onSubmitRules?: readonly OnSubmitRule[] | null
}

type ShownBy = { dataType: string; holds: Holds }

/** What is sent to the participant some time after a submission. */
type Notification = {
  component: string
  title: string | null
  body: string
  /** In microseconds. */
  delay: number
  /** Absent where it is always sent. */
  shownBy?: ShownBy
}

type Field = {
  dataType: string
  title: string
  asked: FieldType
  isRequired: boolean
  check: Check
  /** Absent where the field is always shown. */
  shownBy?: ShownBy
  /** For a calculation; one without a usable expression has no value. */
  calculation?: Expression | null
  /** The statements that a required Likert needs answers for. */
  statements?: readonly { key: string; label: string }[]
}

export type Form = {
  /** In the order of filling in: each after what shows it and what it is computed from. */
  fields: readonly Field[]
  dataTypes: ReadonlySet<string>
  operands: ReadonlyMap<string, { dataType: string; read: (value: unknown, zone: string) => Operand }>
  allowsIncomplete: boolean
  score?: (answers: Answers, zone: string) => number
  rules: readonly OnSubmitRule[]
  notifications: readonly Notification[]
}

/** What came in for one field; `createdAt` is when the answer was given. */
export type Sent = { value?: unknown; createdAt?: Instant | null }
/** A change of one field; null is a blank. */
export type Change = { dataType: string; value: unknown; before: unknown }

export type Filled = {
  /** By data type: not the JSON that the format takes (422). */
  wrong: Readonly<Record<string, string>>
  /** By data type: outside what the settings allow (400). */
  unfit: Readonly<Record<string, string>>
  /** By data type: required, shown and blank (400); always empty where the stage allows incomplete submission. */
  missing: Readonly<Record<string, string>>
  /** All answers that are not blank, after merging, clearing what is hidden, and calculating. */
  values: Record<string, unknown>
  changes: Change[]
  /** The data types of components that are not shown. */
  hidden: string[]
  score?: number
  partial: boolean
  messages: SubmitAction[]
}

/** Compiles a stage. A component whose data type is not among `dataTypes` takes no answers. */
export function compileForm(stage: FormStage, dataTypes: FieldTypes): Form {
  const fields = new Map<string, Field>()
  for (const component of stage.components) {
    const asked = component.dataType ? dataTypes.get(component.dataType) : undefined
    if (asked && !fields.has(component.dataType!)) {
      fields.set(component.dataType!, compileField(component, asked, dataTypes))
    }
  }
  // Circles are refused when a stage is saved; should there be one, what is not filled in yet counts as absent.
  const order = fieldOrder(stage.components, dataTypes).order ?? [...fields.keys()]
  const operands = [...byCode(stage.components, dataTypes)].map(
    ([code, dataType]) => [code, { dataType, read: operandOf(dataTypes.get(dataType)!) }] as const,
  )
  return {
    fields: order.flatMap((dataType) => fields.get(dataType) ?? []),
    dataTypes: new Set(fields.keys()),
    operands: new Map(operands),
    allowsIncomplete: stage.allowIncompleteSubmission === true,
    score: compileScore(stage.components, dataTypes),
    rules: stage.onSubmitRules ?? [],
    notifications: stage.components.flatMap((component) => compileNotification(component, dataTypes)),
  }
}

function compileShownBy({ condition }: Component, dataTypes: FieldTypes): { shownBy?: ShownBy } {
  if (!condition) return {}
  const other = dataTypes.get(condition.dataType)
  return { shownBy: { dataType: condition.dataType, holds: other ? compileCondition(condition, other) : () => false } }
}

function compileNotification(component: Component, dataTypes: FieldTypes): Notification[] {
  const { id, type, title, notificationTitle, notificationBody, notificationDelay } = component
  if (type !== 'scheduledNotification') return []
  const text = { title: notificationTitle || null, body: notificationBody || title }
  return [{ component: id, ...text, delay: (notificationDelay ?? 0) * MINUTE, ...compileShownBy(component, dataTypes) }]
}

function compileField(component: Component, asked: FieldType, dataTypes: FieldTypes): Field {
  const { title, dataType } = component
  const isCalculation = asked.format === 'calculation'
  const field: Field = {
    dataType: dataType!,
    title,
    asked,
    isRequired: component.isRequired === true && !isCalculation,
    check: valueCheck(asked),
    ...compileShownBy(component, dataTypes),
  }
  if (isCalculation) {
    const compiled = compileExpression(asked.expression ?? '', asked.decimals)
    field.calculation = 'problem' in compiled ? null : compiled
  }
  if (asked.format === 'likert' && field.isRequired) field.statements = asked.statements ?? []
  return field
}

/** Whether two JSON values are the same. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  let surplus = 0
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !isSame(left[key], right[key])) return false
    surplus++
  }
  for (const _ in right) surplus--
  return surplus === 0
}

/** What a field that must be answered still lacks; undefined where nothing is. */
function lack(field: Field, value: unknown): string | undefined {
  if (value === undefined) return `“${field.title}” is required.`
  if (!field.statements) return undefined
  const open = field.statements.filter(({ key }) => !Object.hasOwn(value as object, key))
  if (!open.length) return undefined
  return `“${field.title}” needs an answer to: ${open.map(({ label }) => `“${label}”`).join(', ')}.`
}

const none: Readonly<Record<string, string>> = Object.freeze({})
const NOTHING_FOLLOWS: SubmitAction[] = []

/**
 * Fills in a form: checks what was sent, merges it with the current answers, clears what is not shown, computes, scores.
 * An answer that did not change is not checked again, as settings may have become narrower since. Where `wrong`, `unfit` or
 * `missing` has entries the submission is to be refused, and the rest is of no use.
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
  const changes: Change[] = []
  const hidden: string[] = []
  let [wrong, unfit, missing] = [none, none, none]
  for (const dataType in current) {
    if (!form.dataTypes.has(dataType) && !isBlank(current[dataType])) values[dataType] = current[dataType]
  }
  const lookup = (code: string): Operand => {
    const operand = form.operands.get(code)
    return operand ? operand.read(values[operand.dataType], at.zone) : null
  }
  for (const field of form.fields) {
    const { dataType, shownBy, calculation } = field
    const shown =
      shownBy === undefined ||
      (form.dataTypes.has(shownBy.dataType) && shownBy.holds(values[shownBy.dataType], at.zone))
    const held = current[dataType]
    const before = isBlank(held) ? undefined : held
    const entry = sent[dataType]
    let value = before
    let isSound = true
    if (entry !== undefined && entry.value !== undefined) {
      const given = normalise(field.asked, entry.value)
      if (given !== undefined && !isSame(given, before)) {
        const trouble = field.check(given, at)
        if (trouble?.kind === 'wrong') wrong = { ...wrong, [dataType]: `“${field.title}” ${trouble.problem}.` }
        else if (trouble && shown) unfit = { ...unfit, [dataType]: `“${field.title}” ${trouble.problem}.` }
        isSound = trouble === undefined
      }
      if (isSound) value = given
    }
    if (calculation !== undefined) value = calculation?.evaluate(lookup, at) ?? undefined
    if (shown) {
      if (field.isRequired && isSound) {
        const lacking = lack(field, value)
        if (lacking) missing = { ...missing, [dataType]: lacking }
      }
      if (value !== undefined) values[dataType] = value
    } else {
      hidden.push(dataType)
      value = undefined
    }
    if (value !== before && !isSame(value, before)) {
      changes.push({ dataType, value: value ?? null, before: before ?? null })
    }
  }
  const score = form.score?.(values, at.zone)
  const isIncomplete = missing !== none
  return {
    wrong,
    unfit,
    missing: form.allowsIncomplete ? none : missing,
    values,
    changes,
    hidden,
    ...(score === undefined ? {} : { score }),
    partial: form.allowsIncomplete && isIncomplete,
    messages: form.rules.length ? onSubmit(form.rules, score) : NOTHING_FOLLOWS,
  }
}
