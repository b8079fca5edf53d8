/**
 * A stage as it is filled in: compiled once per stage version, then applied to every submission. See docs/forms.md,
 * "Submissions".
 */

import { operandOf } from '#design/dataTypes/answerOperands'
import { compileExpression, type Expression } from '#design/dataTypes/expressions'
import type { Operand } from '#design/dataTypes/operands'
import { type Check, valueCheck } from '#design/dataTypes/values'
import { byCode, type FieldType, type FieldTypes, fieldOrder } from '#design/stages/checks'
import type { Component, OnSubmitRule } from '#design/stages/components'
import { compileCondition, type Holds } from '#design/stages/conditions'
import { type Answers, compileScore } from '#design/stages/scoring'
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

/** A field of a form, with what is asked about it at every submission. */
export type Field = {
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
