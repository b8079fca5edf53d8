/**
 * A stage as a form: compiled once per stage version, then used for every submission. See docs/forms.md, "Submissions".
 */

import { operandOf } from '#design/dataTypes/answerOperands'
import { compileExpression, type Expression } from '#design/dataTypes/expressions'
import type { Operand } from '#design/dataTypes/operands'
import { stepCounter } from '#design/dataTypes/patternSteps'
import { type AnswerCheck, valueCheck } from '#design/dataTypes/values'
import type { Component, MessageRule, OnSubmitRule } from '#design/stages/components'
import { type AnswerTest, compileCondition } from '#design/stages/conditions'
import { dataTypesByCode, type FieldType, type FieldTypes, fieldOrder } from '#design/stages/references'
import { type Answers, compileScore, messageRulesOf } from '#design/stages/scoring'
import { type Instant, MINUTE } from '#kernel/time'

/** The fields of a stage that determine its form. */
export type FormStage = {
  components: readonly Component[]
  allowIncompleteSubmission?: boolean | null
  onSubmitRules?: readonly OnSubmitRule[] | null
  /** In place of those rules, where only their messages are known. */
  messageRules?: readonly MessageRule[]
}

type DisplayCondition = { dataType: string; holds: AnswerTest }

/** A message that is sent to the participant some time after a submission. */
type Notification = {
  component: string
  title: string | null
  body: string
  /** In microseconds. */
  delay: number
  /** Absent if it is always sent. */
  displayCondition?: DisplayCondition
}

/** A rule on the answer to a field; `sentence` is the sentence for those who break it, with the study's own message if it has one. */
export type CompiledConstraint = {
  test: Expression
  expression: string
  sentence: string
  hasMessage: boolean
  isSoft: boolean
}

/** A field of a form, with everything about it that a submission needs. */
export type Field = {
  dataType: string
  title: string
  settings: FieldType
  isRequired: boolean
  check: AnswerCheck
  constraint?: CompiledConstraint
  /** The most steps that the patterns of the field take for an answer; absent if it has none. */
  steps?: (answer: unknown) => number
  /** Absent if the field is always shown. */
  displayCondition?: DisplayCondition
  /** Present for calculations; null if the expression is invalid, and then the field has no value. */
  calculation?: Expression | null
  /** The statements of a required Likert, which all need answers. */
  statements?: readonly { key: string; label: string }[]
}

export type Form = {
  /** In the order of computation: each after the fields that show it and those that it is computed from. */
  fields: readonly Field[]
  dataTypes: ReadonlySet<string>
  operands: ReadonlyMap<string, { dataType: string; read: (value: unknown, zone: string) => Operand }>
  /** The data types of fields that participants are not asked. */
  hidden: ReadonlySet<string>
  /** The fields with a constraint. */
  constrained: readonly { field: Field; constraint: CompiledConstraint }[]
  allowsIncomplete: boolean
  score?: (answers: Answers, zone: string) => number
  rules: readonly OnSubmitRule[]
  messageRules: readonly MessageRule[]
  notifications: readonly Notification[]
}

/** What was sent for one field. `createdAt` is the time of the answer, `updateNote` says why it was changed. */
export type SentAnswer = { value?: unknown; createdAt?: Instant | null; updateNote?: string | null }

/** Compiles a stage. A component whose data type is not among `dataTypes` takes no answers. */
export function compileForm(stage: FormStage, dataTypes: FieldTypes): Form {
  const fields = new Map<string, Field>()
  for (const component of stage.components) {
    const type = component.dataType ? dataTypes.get(component.dataType) : undefined
    if (type && !fields.has(component.dataType!)) {
      fields.set(component.dataType!, compileField(component, type, dataTypes))
    }
  }
  // Circles are refused when a stage is saved. If there is one all the same, fields not computed yet count as absent.
  const order = fieldOrder(stage.components, dataTypes).order ?? [...fields.keys()]
  const operands = [...dataTypesByCode(stage.components, dataTypes)].map(
    ([code, dataType]) => [code, { dataType, read: operandOf(dataTypes.get(dataType)!) }] as const,
  )
  const constrained = [...fields.values()].flatMap((field) =>
    field.constraint ? [{ field, constraint: field.constraint }] : [],
  )
  const hidden = stage.components.flatMap(({ dataType, isHidden }) => (dataType && isHidden ? [dataType] : []))
  return {
    hidden: new Set(hidden),
    constrained,
    fields: order.flatMap((dataType) => fields.get(dataType) ?? []),
    dataTypes: new Set(fields.keys()),
    operands: new Map(operands),
    allowsIncomplete: stage.allowIncompleteSubmission === true,
    score: compileScore(stage.components, dataTypes),
    rules: stage.onSubmitRules ?? [],
    messageRules: stage.messageRules ?? messageRulesOf(stage.onSubmitRules ?? []),
    notifications: stage.components.flatMap((component) => compileNotification(component, dataTypes)),
  }
}

function compileShownBy({ condition }: Component, dataTypes: FieldTypes): { displayCondition?: DisplayCondition } {
  if (!condition) return {}
  const other = dataTypes.get(condition.dataType)
  return {
    displayCondition: { dataType: condition.dataType, holds: other ? compileCondition(condition, other) : () => false },
  }
}

function compileNotification(component: Component, dataTypes: FieldTypes): Notification[] {
  const { id, type, title, notificationTitle, notificationBody, notificationDelay } = component
  if (type !== 'scheduledNotification') return []
  const text = { title: notificationTitle || null, body: notificationBody || title }
  return [{ component: id, ...text, delay: (notificationDelay ?? 0) * MINUTE, ...compileShownBy(component, dataTypes) }]
}

function compileField(component: Component, type: FieldType, dataTypes: FieldTypes): Field {
  const { title, dataType } = component
  const isCalculation = type.format === 'calculation'
  const field: Field = {
    dataType: dataType!,
    title,
    settings: type,
    isRequired: component.isRequired === true && !isCalculation && !component.isHidden,
    check: valueCheck(type),
    steps: stepCounter(type),
    ...compileShownBy(component, dataTypes),
  }
  if (component.constraint) {
    const { expression, message, isSoft } = component.constraint
    const test = compileExpression(expression)
    const sentence = `“${title}”: ${message || `the answer does not fit the rule ${expression}.`}`
    if (!('problem' in test))
      field.constraint = { test, expression, sentence, hasMessage: Boolean(message), isSoft: isSoft === true }
  }
  if (isCalculation) {
    const compiled = compileExpression(type.expression ?? '', type.decimals)
    field.calculation = 'problem' in compiled ? null : compiled
  }
  if (type.format === 'likert' && field.isRequired) field.statements = type.statements ?? []
  return field
}
