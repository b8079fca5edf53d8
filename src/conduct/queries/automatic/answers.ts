/** Answers in the form that the rules take, and earlier numbers to compare them with. */

import { byDataType } from '#conduct/responses/layout'
import { layoutById, type ResponseRow, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { reasonTest } from '#design/dataTypes/missingReasons'
import { measuredNumbersOf } from './numbers'
import type { FieldAnswer } from './rules'

/** The answers of a response to data types that still exist. An option that says why there is no answer does not count as one. */
export const answersIn = (db: Db, config: Configuration, row: Pick<ResponseRow, 'layout' | 'values'>): FieldAnswer[] =>
  Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).flatMap(([dataType, value]) => {
    const question = config.withInheritedFlags.get(dataType)
    return question && !reasonTest(question)(value) ? [{ question, value }] : []
  })

/** The measured numbers in the answers of one response, by the key of what they measure (`Part.key`). */
export const numbersOf = (answers: readonly FieldAnswer[]): Map<string, number> =>
  new Map(
    answers.flatMap(({ question, value }) => measuredNumbersOf(question, value).map(({ key, value }) => [key, value])),
  )

/** The measured numbers in several responses, by the key of what they measure. */
export function numbersIn(responses: readonly (readonly FieldAnswer[])[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const [key, value] of responses.flatMap((answers) => [...numbersOf(answers)])) {
    const list = numbers.get(key)
    if (list) list.push(value)
    else numbers.set(key, [value])
  }
  return numbers
}
