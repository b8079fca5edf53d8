/** The storage format of the values of a response: a list in the order of a layout (pure). */
import { type Id, sha256 } from '#kernel/id'

/** The data types of a list of values, in order. `_id` is a hash of the content. */
export type Layout = { _id: string; stage: Id; dataTypes: readonly Id[]; positions: ReadonlyMap<Id, number> }

const layouts = new WeakMap<readonly Id[], Layout>()

/** The layout of a stage for these data types. Cached by the identity of the list, as a configuration keeps its list. */
export function layoutOf(stage: Id, dataTypes: readonly Id[]): Layout {
  let layout = layouts.get(dataTypes)
  if (layout?.stage !== stage) {
    const _id = sha256(JSON.stringify([stage, dataTypes])).slice(0, 16)
    layout = { _id, stage, dataTypes, positions: new Map(dataTypes.map((dataType, at) => [dataType, at])) }
    layouts.set(dataTypes, layout)
  }
  return layout
}

/** The layout with these data types appended if they are new. Earlier positions keep their meaning. */
export function extendLayout(layout: Layout, dataTypes: readonly Id[]): Layout {
  const added = dataTypes.filter((dataType) => !layout.positions.has(dataType))
  return added.length ? layoutOf(layout.stage, [...layout.dataTypes, ...added]) : layout
}

/** The values by data type; blanks are left out. */
export function byDataType(layout: Layout, values: readonly unknown[]): Record<Id, unknown> {
  const answers: Record<Id, unknown> = {}
  for (let at = 0; at < values.length; at++) {
    if (values[at] !== null) answers[layout.dataTypes[at]!] = values[at]
  }
  return answers
}

/** The values in the order of the layout; null for a blank. */
export const valuesInOrder = (layout: Layout, answers: Readonly<Record<Id, unknown>>): unknown[] =>
  layout.dataTypes.map((dataType) => answers[dataType] ?? null)

/** The submission that each value comes from: one number for all values, or one for each. Null if nothing was ever submitted. */
export type SourceSubmissions = number | (number | null)[]

/** The number of the submission that the value at this position comes from. */
export const sourceSubmissionAt = (sources: SourceSubmissions, at: number): number | null =>
  typeof sources === 'number' ? sources : (sources[at] ?? null)

/** The source submissions after a submission changed the values at these positions. */
export function withSourceSubmission(
  sources: SourceSubmissions,
  length: number,
  changed: readonly number[],
  submission: number,
): SourceSubmissions {
  const next = Array.from({ length }, (_, at) => sourceSubmissionAt(sources, at))
  for (const at of changed) next[at] = submission
  return next
}

/** The numbers of all source submissions, each once. */
export function submissionsIn(sources: SourceSubmissions): number[] {
  if (typeof sources === 'number') return [sources]
  const numbers: number[] = []
  for (const source of sources) if (source !== null && !numbers.includes(source)) numbers.push(source)
  return numbers
}
