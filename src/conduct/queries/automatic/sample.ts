/**
 * The numbers in the latest responses to a stage, with which a new number is compared. A sample stays in memory, and each use adds
 * the responses that came since: so the cost of a use does not grow with the trial.
 */
import type { ResponseRow } from '#conduct/responses/store'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import type { Id } from '#kernel/id'
import { answersIn, numbersOf } from './answers'
import { existingAmong, latestOfStage } from './cursorStore'
import { unusualIndexes } from './numbers'

/** The most responses in a sample. */
const SIZE = 300
/** After so many new responses, the others of the sample are compared with it again. */
const STEP = 10

/** Column `key` has the number of `responses[i]` at index `i`. A new response replaces the oldest one. */
type Sample = {
  config: Configuration
  responses: Id[]
  columns: Map<string, (number | undefined)[]>
  newest: Id
  next: number
  added: number
}

const samples = new WeakMap<Db, Map<Id, Sample>>()
/** The most samples in memory. */
const MAX_SAMPLES = 500

function addResponse(sample: Sample, response: Id, numbers: ReadonlyMap<string, number>): void {
  let place = sample.responses.indexOf(response)
  if (place < 0) {
    place = sample.next
    sample.next = (place + 1) % SIZE
    sample.responses[place] = response
    sample.added++
  }
  for (const column of sample.columns.values()) column[place] = undefined
  for (const [key, number] of numbers) {
    let column = sample.columns.get(key)
    if (!column) sample.columns.set(key, (column = []))
    column[place] = number
  }
  if (response > sample.newest) sample.newest = response
}

/** Leaves out the numbers of responses that were deleted since. */
function forgetDeleted(db: Db, { responses, columns }: Sample): void {
  const existing = existingAmong(db, responses)
  for (const [place, response] of responses.entries()) {
    if (existing.has(response)) continue
    for (const column of columns.values()) column[place] = undefined
  }
}

/** The sample of a stage, up to date. It is read again after a change of the configuration, which may change what is measured. */
function currentSample(db: Db, config: Configuration, stage: Id): Sample {
  let byStage = samples.get(db)
  if (!byStage || byStage.size > MAX_SAMPLES) samples.set(db, (byStage = new Map()))
  let sample = byStage.get(stage)
  if (sample?.config !== config) {
    sample = { config, responses: [], columns: new Map(), newest: '', next: 0, added: STEP }
    byStage.set(stage, sample)
  }
  forgetDeleted(db, sample)
  for (const row of latestOfStage(db, stage, sample.newest, SIZE)) {
    addResponse(sample, row._id, numbersOf(answersIn(db, config, row)))
  }
  return sample
}

export type Comparison = {
  /** The numbers of the other responses, by the key of what they measure. */
  others: Map<string, number[]>
  /** Other responses that may be unusual among the responses known by now. Usually empty. */
  again: Id[]
}

/** What a response is compared with. */
export function comparisonFor(
  db: Db,
  config: Configuration,
  row: Pick<ResponseRow, '_id' | 'stage' | 'layout' | 'values'>,
): Comparison {
  const sample = currentSample(db, config, row.stage)
  addResponse(sample, row._id, numbersOf(answersIn(db, config, row)))
  const own = sample.responses.indexOf(row._id)
  const others = new Map(
    [...sample.columns].map(([key, column]) => [
      key,
      column.filter((number, place): number is number => number !== undefined && place !== own),
    ]),
  )
  if (sample.added < STEP) return { others, again: [] }
  sample.added = 0
  const places = [...sample.columns.values()].flatMap(unusualIndexes)
  return { others, again: [...new Set(places)].flatMap((place) => sample.responses[place] ?? []) }
}
