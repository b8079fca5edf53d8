/** Answers as the rules look at them, and what is known to compare them with. */

import { byDataType } from '#conduct/responses/layout'
import { layoutById, type ResponseRow, valuesOf } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import { partsOf } from './numbers'
import type { Answered } from './rules'
import { latestOfStage } from './sinceStore'

/** The answers of a response whose data types are still there. */
export const answersIn = (db: Db, config: Configuration, row: Pick<ResponseRow, 'layout' | 'values'>): Answered[] =>
  Object.entries(byDataType(layoutById(db, row.layout), valuesOf(row))).flatMap(([dataType, value]) => {
    const question = config.guarded.get(dataType)
    return question ? [{ question, value }] : []
  })

/** The numbers of answers, by what they measure. */
export function numbersIn(responses: readonly (readonly Answered[])[]): Map<string, number[]> {
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

/** A sample serves so many responses of its stage before it is taken again. */
const USES = 50

/** The numbers of the latest responses to a stage. */
export function sampleOf(db: Db, config: Configuration, stage: Id): Map<string, number[]> {
  let kept = samples.get(db)
  if (!kept || kept.size > 500) samples.set(db, (kept = new Map()))
  let sample = kept.get(stage)
  if (!sample || sample.uses === USES) {
    sample = { numbers: numbersIn(latestOfStage(db, stage).map((row) => answersIn(db, config, row))), uses: 0 }
    kept.set(stage, sample)
  }
  sample.uses++
  return sample.numbers
}
