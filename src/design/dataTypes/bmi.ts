/**
 * A BMI: height in cm and weight in kg, with the index that follows from them (docs/data-types.md, "Value formats").
 */

import { roundTo } from '#kernel/decimal'
import { isObject, type JsonObject } from '#kernel/json'
import type { FieldSettings } from './model'
import { outsideSettings, wrongType } from './problems'
import type { AnswerCheck } from './scalars'

/** Heights in cm and weights in kg of people of any age. Values outside are mistakes, such as metres for centimetres. */
const bmiRanges = { minHeight: 20, maxHeight: 300, minWeight: 0.2, maxWeight: 700 } as const

/** The parts of a BMI. */
export const bmiMeasures: readonly string[] = ['bmi', 'height', 'weight']

const bmiOf = (height: number, weight: number) => weight / (height / 100) ** 2

/** Returns the check of a BMI answer against the ranges of its data type. The answer may leave out `bmi`. */
export function bmiCheck(settings: FieldSettings): AnswerCheck {
  const part = (name: 'height' | 'weight', min: number, max: number) => (value: unknown) =>
    value == null
      ? outsideSettings(`${name}Missing`)
      : typeof value !== 'number' || !Number.isFinite(value)
        ? wrongType(`${name}NotNumber`)
        : value < min || value > max
          ? outsideSettings(`${name}Between`, { min, max })
          : undefined
  const height = part(
    'height',
    settings.minHeight ?? Math.min(bmiRanges.minHeight, settings.maxHeight ?? bmiRanges.minHeight),
    settings.maxHeight ?? Math.max(bmiRanges.maxHeight, settings.minHeight ?? bmiRanges.maxHeight),
  )
  const weight = part(
    'weight',
    settings.minWeight ?? Math.min(bmiRanges.minWeight, settings.maxWeight ?? bmiRanges.minWeight),
    settings.maxWeight ?? Math.max(bmiRanges.maxWeight, settings.minWeight ?? bmiRanges.maxWeight),
  )
  return (value) => {
    if (!isObject(value)) return wrongType('notBmi')
    for (const key in value) {
      if (!bmiMeasures.includes(key)) return wrongType('noMeasure', { measure: key })
    }
    if (value.bmi != null && typeof value.bmi !== 'number') return wrongType('bmiNotNumber')
    const problem = height(value.height) ?? weight(value.weight)
    if (problem) return problem
    const bmi = bmiOf(value.height as number, value.weight as number)
    // A bmi that was rounded to one decimal or more differs by at most 0.05.
    if (value.bmi != null && Math.abs((value.bmi as number) - bmi) > 0.05 + 1e-9) {
      return outsideSettings('bmiDiffers', { bmi: roundTo(bmi, 1) })
    }
    return undefined
  }
}

/** A BMI as it is stored: with its `bmi` computed if it was left out; undefined if all its parts are blank. */
export function withBmi(value: JsonObject): JsonObject | undefined {
  if (Object.keys(value).every((key) => bmiMeasures.includes(key) && value[key] == null)) return undefined
  const { bmi, height, weight } = value
  if (bmi != null || typeof height !== 'number' || typeof weight !== 'number' || !(height > 0)) return value
  return { ...value, bmi: roundTo(bmiOf(height, weight), 1) }
}
