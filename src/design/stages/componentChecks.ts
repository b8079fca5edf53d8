/** Checks that a stage's components fit each other and their data types, when the stage or a data type is saved. */

import { bmiMeasures } from '#design/dataTypes/bmi'
import { calculationOrder } from '#design/dataTypes/calculationOrder'
import { compileExpression } from '#design/dataTypes/expressions'
import { expressionReason } from '#design/dataTypes/problemReasons'
import { type Reason, reason } from '#kernel/refusals/reason'
import type { Component } from './components'
import { conditionProblem, scoringProblem } from './conditionProblems'
import {
  dataTypesByCode,
  type FieldType,
  type FieldTypes,
  fieldOrder,
  namesInCalculation,
  namesInExpression,
  none,
  referencesOf,
} from './references'

/** The parts of an answer that a calculation can name: a Likert's rows, a table's columns, a BMI's measures. */
function partsOf(fieldType: FieldType | undefined): readonly string[] {
  if (fieldType?.format === 'bmi') return bmiMeasures
  return [...(fieldType?.statements ?? []).map(({ key }) => key), ...(fieldType?.columns ?? []).map(({ id }) => id)]
}

const circleProblem = (names: readonly (string | undefined)[]) =>
  reason('dependencyCircle', { path: names.map((name) => `“${name}”`).join(' → ') })

/**
 * The problem of calculations that are computed from each other in a circle, with the names of their fields; undefined if
 * there is none (docs/calculations.md, "Limits").
 * @param dataTypes all of one trial, where codes are unique; those to be saved come first
 */
export function calculationCircle(dataTypes: Iterable<FieldType & { code: string; name: string }>): Reason | undefined {
  const calculations = [...dataTypes].filter(({ format }) => format === 'calculation')
  const { cycle } = calculationOrder(calculations.map((each) => ({ code: each.code, references: referencesOf(each) })))
  const names = new Map(calculations.map(({ code, name }) => [code.toLowerCase(), name]))
  return cycle && circleProblem(cycle.map((code) => names.get(code)))
}

/** The problems of a component, alone and in its stage. */
function componentProblems(component: Component, inStage: ReadonlySet<string>, dataTypes: FieldTypes): Reason[] {
  const { type, dataType, condition, constraint } = component
  if (type && dataType) return [reason('builtInWithDataType')]
  if (!type && !dataType) return [reason('fieldWithoutDataType')]
  const fieldType = dataType ? dataTypes.get(dataType) : undefined
  if (dataType && !fieldType) return [reason('dataTypeUnknown')]
  const problems: (Reason | undefined)[] = []
  if (condition) {
    const other = dataTypes.get(condition.dataType)
    if (!other || !inStage.has(condition.dataType)) problems.push(reason('conditionFieldElsewhere'))
    else problems.push(conditionProblem(condition, other))
  }
  if (constraint && !fieldType) problems.push(reason('constraintWithoutField'))
  else if (component.isHidden && type === 'scheduledNotification') problems.push(reason('hiddenNotification'))
  else if (constraint) {
    const compiled = compileExpression(constraint.expression)
    if ('problem' in compiled) problems.push(reason('constraintUnusable', { problem: expressionReason(compiled) }))
  }
  if (component.scoringRules?.length && !fieldType) problems.push(reason('scoringWithoutField'))
  else for (const rule of component.scoringRules ?? []) problems.push(scoringProblem(rule, fieldType!))
  return problems.filter((problem) => problem !== undefined)
}

/** The problem with the title of the component. */
export const ofComponent = (title: string, problem: Reason): Reason => reason('ofComponent', { title, problem })

/**
 * The problems of a stage's components, each with the component's name; empty if there are none (else 422). A cycle of
 * conditions and calculations is a problem too (docs/calculations.md, "Limits").
 */
export function componentsProblems(components: readonly Component[], dataTypes: FieldTypes): Reason[] {
  const problems: Reason[] = []
  const ids = new Set<string>()
  const inStage = new Set<string>()
  for (const { id, title, dataType } of components) {
    if (ids.has(id)) problems.push(reason('idTwice', { value: id }))
    if (dataType && inStage.has(dataType)) problems.push(ofComponent(title, reason('inStageAlready')))
    ids.add(id)
    if (dataType) inStage.add(dataType)
  }
  for (const component of components) {
    for (const problem of componentProblems(component, inStage, dataTypes)) {
      problems.push(ofComponent(component.title, problem))
    }
  }
  return [...problems, ...calculationProblems(components, dataTypes)]
}

const UNKNOWN = {
  expression: { field: 'expressionFieldElsewhere', part: 'expressionPartUnknown' },
  constraint: { field: 'constraintFieldElsewhere', part: 'constraintPartUnknown' },
} as const

/** Problems of calculations and constraints: unknown fields, unknown parts of fields, and circles of calculations. */
function calculationProblems(components: readonly Component[], dataTypes: FieldTypes): Reason[] {
  const codes = dataTypesByCode(components, dataTypes)
  const problems: Reason[] = []
  const check = (title: string, names: ReadonlyMap<string, ReadonlySet<string>>, what: keyof typeof UNKNOWN) => {
    for (const [code, parts] of names) {
      const named = codes.get(code)
      if (!named) {
        problems.push(ofComponent(title, reason(UNKNOWN[what].field, { code })))
        continue
      }
      const knownParts = partsOf(dataTypes.get(named))
      const unknown = [...parts].filter((part) => !knownParts.includes(part))
      for (const part of unknown) problems.push(ofComponent(title, reason(UNKNOWN[what].part, { part, code })))
    }
  }
  for (const { title, dataType, constraint } of components) {
    check(title, namesInCalculation(dataTypes.get(dataType ?? '')), 'expression')
    check(title, constraint ? namesInExpression(constraint.expression) : none, 'constraint')
  }
  const { cycle } = fieldOrder(components, dataTypes)
  if (cycle) {
    problems.push(circleProblem(cycle.map((id) => components.find(({ dataType }) => dataType === id)?.title)))
  }
  return problems
}
