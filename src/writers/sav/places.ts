/** Where each variable of a system file of SPSS is in its dictionary. */
import { segmentsOf } from './cases'
import type { SavVariable } from './plan'

/** A variable with its place in the dictionary. */
export type PlacedVariable = SavVariable & {
  /** Its name for programs of before 2003: `@` is the beginning of no other name. */
  short: string
  /** The number of its record, from 1. */
  index: number
  /** The widths of the variables that hold its text; the one of a number is 0. */
  segments: readonly number[]
}

/** The records of a variable of this width, one for each 8 bytes. */
export const recordsOf = (width: number): number => Math.max(Math.ceil(width / 8), 1)

/** The variables with their places. */
export function placeVariables(variables: readonly SavVariable[]): PlacedVariable[] {
  let [index, number] = [1, 0]
  return variables.map((variable) => {
    const segments = variable.width ? segmentsOf(variable.width) : [0]
    const each = { ...variable, short: `@${number + 1}`, index, segments }
    number += segments.length
    for (const width of segments) index += recordsOf(width)
    return each
  })
}
