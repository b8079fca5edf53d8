/** The input of the process that reads the texts of documents, and what it reports: plain JSON. */
import { list, oneOf, shape, text, type ValueOf } from '#wire/schema'
import { textKinds } from './kinds'

/** The most documents in one task: to start a process takes longer than to read most of them. */
export const MAX_DOCUMENTS = 8

export const TextTask = shape({
  files: list(shape({ storedName: text(1, 200), kind: oneOf(...textKinds) }), MAX_DOCUMENTS, 1),
})
export type TextTask = ValueOf<typeof TextTask>

/** The longest text that is kept of a document, in UTF-16 units. */
export const MAX_LENGTH = 500_000

/** What became of one document. `unavailable`: the machine did not give its bytes. */
export type TextOutcome =
  | { state: 'read'; text: string; isCut: boolean }
  | { state: 'none' }
  | { state: 'failed'; problem: string }
  | { state: 'unavailable' }
