/** The fields of a stage, what their conditions and calculations refer to, and the order in which they are computed. */
import { type Order, topologicalOrder } from '#design/dataTypes/calculationOrder'
import { compileExpression } from '#design/dataTypes/expressions'
import type { FieldSettings } from '#design/dataTypes/model'
import type { Component } from './components'

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

export const none: ReadonlyMap<string, ReadonlySet<string>> = new Map()

/** The codes that a calculation names, each with its named parts; empty for other formats. */
export function namesInCalculation(fieldType: FieldType | undefined): ReadonlyMap<string, ReadonlySet<string>> {
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
