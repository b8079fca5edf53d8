/** The inputs of the threads and processes that write and read files of translations: plain JSON. */

import type { NumberedRow } from '#documents/numberedRow'
import type { TaskKind } from '#jobs/kind'
import { either, id, oneOf, shape, text, type ValueOf } from '#wire/schema'
import { formats } from './model'

/** Writes the file for translators. */
export const WriteTask = shape({
  trial: id(),
  language: text(1, 100),
  format: oneOf(...formats),
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
})
export type WriteTask = ValueOf<typeof WriteTask>

/** The stored name of an upload, or the content itself. */
export const ReadTask = either(shape({ fileName: text(1, 200) }), shape({ content: text(0, 1 << 30) }))
export type ReadTask = ValueOf<typeof ReadTask>

export const writeTask: TaskKind<WriteTask, { rows: number; bytes: number }> = {
  kind: 'exportTranslations',
  input: WriteTask,
}

export const readTask: TaskKind<ReadTask, { headers: string[]; rows: NumberedRow[] }> = {
  kind: 'readTranslations',
  input: ReadTask,
}
