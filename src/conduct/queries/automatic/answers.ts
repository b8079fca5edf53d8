/** Answers in the form that the rules take, and earlier numbers to compare them with. */

import { byDataType } from '#conduct/responses/layout'
import { layoutById, type ResponseRow, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import { latestOfStage } from './cursorStore'
import { partsOf } from './numbers'
import type { FieldAnswer } from './rules'

/** The answers of a response to questions that still exist. */
export const answersIn = (db: Db, config: Configuration, row: Pick<ResponseRow, 'layout' | 'values'>): FieldAnswer[] =>
  Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).flatMap(([dataType, value]) => {
    const question = config.withInheritedFlags.get(dataType)
    return question ? [{ question, value }] : []
  })

/** The measured numbers in answers, by the key of what they measure (`Part.key`). */
export function numbersIn(responses: readonly (readonly FieldAnswer[])[]): Map<string, number[]> {
  const numbers = new Map<string, number[]>()
  for (const { question, value } of responses.flat()) {
    for (const part of partsOf(question, value)) {
      const list = numbers.get(part.key)
      if (list) list.push(part.value)
      else numbers.set(part.key, [part.value])
    }
  }
  return numbers
}

type Sample = { numbers: Map<string, number[]>; uses: number }
const samples = new WeakMap<Db, Map<Id, Sample>>()

/** The number of responses for which a sample is used before it is read again. */
const USES = 50

/** The measured numbers of the latest responses to a stage, cached for `USES` calls. */
export function sampleOf(db: Db, config: Configuration, stage: Id): Map<string, number[]> {
  let byStage = samples.get(db)
  if (!byStage || byStage.size > 500) samples.set(db, (byStage = new Map()))
  let sample = byStage.get(stage)
  if (!sample || sample.uses === USES) {
    sample = { numbers: numbersIn(latestOfStage(db, stage).map((row) => answersIn(db, config, row))), uses: 0 }
    byStage.set(stage, sample)
  }
  sample.uses++
  return sample.numbers
}
