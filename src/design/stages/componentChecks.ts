/** Checks that a stage's components fit each other and their data types, when the stage or a data type is saved. */

import { bmiMeasures } from '#design/dataTypes/bmi'
import { calculationOrder, type Order, topologicalOrder } from '#design/dataTypes/calculationOrder'
import { compileExpression } from '#design/dataTypes/expressions'
import type { FieldSettings } from '#design/dataTypes/model'
import type { Component } from './components'
import { conditionProblem } from './conditions'
import { scoringProblem } from './scoring'

/** A data type as a field of a stage. */
export type FieldType = FieldSettings & { code?: string }
export type FieldTypes = ReadonlyMap<string, FieldType>

/** The `_id`s of a stage's data types, by lower-case code. */
export function dataTypesByCode(components: readonly Component[], dataTypes: FieldTypes): Map<string, string> {
  const codes = new Map<string, string>()
  for (const { dataType } of components) {
    const code = dataType && dataTypes.get(dataType)?.code
    if (code) codes.set(code.toLowerCase(), dataType)
  }
  return codes
}

const none: ReadonlyMap<string, ReadonlySet<string>> = new Map()

/** The codes that a calculation names, each with its named parts; empty for other formats. */
function namesInCalculation(fieldType: FieldType | undefined): ReadonlyMap<string, ReadonlySet<string>> {
  return fieldType?.format === 'calculation' ? namesInExpression(fieldType.expression ?? '') : none
}

/** The codes that an expression names, each with its named parts; empty if it is not valid. */
export function namesInExpression(expression: string): ReadonlyMap<string, ReadonlySet<string>> {
  const compiled = compileExpression(expression)
  return 'problem' in compiled ? none : compiled.parts
}

/** The codes that a calculation names; empty for other formats. */
export const referencesOf = (fieldType: FieldType | undefined): readonly string[] =>
  fieldType?.format === 'calculation' ? [...namesInCalculation(fieldType).keys()] : []

/** The parts of an answer that a calculation can name: a Likert's rows, a table's columns, a BMI's measures. */
function partsOf(fieldType: FieldType | undefined): readonly string[] {
  if (fieldType?.format === 'bmi') return bmiMeasures
  return [...(fieldType?.statements ?? []).map(({ key }) => key), ...(fieldType?.columns ?? []).map(({ id }) => id)]
}

/** The `_id`s of a stage's data types, each after those that show it and those that it is computed from; or a cycle. */
export function fieldOrder(components: readonly Component[], dataTypes: FieldTypes): Order {
  const codes = dataTypesByCode(components, dataTypes)
  const needs = new Map<string, string[]>()
  for (const { dataType, condition } of components) {
    if (!dataType || needs.has(dataType)) continue
    const references = referencesOf(dataTypes.get(dataType)).flatMap((code) => codes.get(code) ?? [])
    needs.set(dataType, condition ? [condition.dataType, ...references] : references)
  }
  return topologicalOrder(needs)
}

const circleProblem = (names: readonly (string | undefined)[]) =>
  `These depend on each other in a circle: ${names.map((name) => `“${name}”`).join(' → ')}.`

/**
 * The problem of calculations that are computed from each other in a circle, with the names of their fields; undefined if
 * there is none (docs/calculations.md, "Limits").
 * @param dataTypes all of one trial, where codes are unique; those to be saved come first
 */
export function calculationCircle(dataTypes: Iterable<FieldType & { code: string; name: string }>): string | undefined {
  const calculations = [...dataTypes].filter(({ format }) => format === 'calculation')
  const { cycle } = calculationOrder(calculations.map((each) => ({ code: each.code, references: referencesOf(each) })))
  const names = new Map(calculations.map(({ code, name }) => [code.toLowerCase(), name]))
  return cycle && circleProblem(cycle.map((code) => names.get(code)))
}

/** The problems of a component, alone and in its stage. */
function componentProblems(component: Component, inStage: ReadonlySet<string>, dataTypes: FieldTypes): string[] {
  const { type, dataType, condition, constraint } = component
  if (type && dataType) return ['A built-in component has no data type.']
  if (!type && !dataType) return ['A field needs its data type.']
  const fieldType = dataType ? dataTypes.get(dataType) : undefined
  if (dataType && !fieldType) return ['There is no such data type in the trial.']
  const problems: (string | undefined)[] = []
  if (condition) {
    const other = dataTypes.get(condition.dataType)
    if (!other || !inStage.has(condition.dataType))
      problems.push('Its condition names a field that is not in the stage.')
    else problems.push(conditionProblem(condition, other))
  }
  if (constraint && !fieldType) problems.push('Only a field has a constraint.')
  else if (component.isHidden && type === 'scheduledNotification') problems.push('A notification cannot be hidden.')
  else if (constraint) {
    const compiled = compileExpression(constraint.expression)
    if ('problem' in compiled) problems.push(`Its constraint: ${compiled.problem}`)
  }
  if (component.scoringRules?.length && !fieldType) problems.push('Only a field has scoring rules.')
  else for (const rule of component.scoringRules ?? []) problems.push(scoringProblem(rule, fieldType!))
  return problems.filter((problem) => problem !== undefined)
}

/**
 * The problems of a stage's components, each with the component's name; empty if there are none (else 422). A cycle of
 * conditions and calculations is a problem too (docs/calculations.md, "Limits").
 */
export function componentsProblems(components: readonly Component[], dataTypes: FieldTypes): string[] {
  const problems: string[] = []
  const ids = new Set<string>()
  const inStage = new Set<string>()
  for (const { id, title, dataType } of components) {
    if (ids.has(id)) problems.push(`The id "${id}" occurs twice.`)
    if (dataType && inStage.has(dataType)) problems.push(`“${title}”: Its data type is in the stage already.`)
    ids.add(id)
    if (dataType) inStage.add(dataType)
  }
  for (const component of components) {
    for (const problem of componentProblems(component, inStage, dataTypes)) {
      problems.push(`“${component.title}”: ${problem}`)
    }
  }
  return [...problems, ...calculationProblems(components, dataTypes)]
}

/** Problems of calculations and constraints: unknown fields, unknown parts of fields, and circles of calculations. */
function calculationProblems(components: readonly Component[], dataTypes: FieldTypes): string[] {
  const codes = dataTypesByCode(components, dataTypes)
  const problems: string[] = []
  const check = (title: string, names: ReadonlyMap<string, ReadonlySet<string>>, what: string) => {
    for (const [code, parts] of names) {
      const named = codes.get(code)
      if (!named) {
        problems.push(`“${title}”: Its ${what} names "${code}", which is not a field of the stage.`)
        continue
      }
      const knownParts = partsOf(dataTypes.get(named))
      const unknown = [...parts].filter((part) => !knownParts.includes(part))
      for (const part of unknown)
        problems.push(`“${title}”: Its ${what} names "${part}", which "${code}" does not have.`)
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
