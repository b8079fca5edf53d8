/** What a worker thread is sent of an instrument to read or to write. */
import { either, id, type Of, oneOf, orNull, shape, text } from '#wire/words'
import { sources } from './model'

export const StructureTask = shape({
  format: oneOf(...sources),
  trial: id(),
  /** Null for all. */
  stage: orNull(id()),
  /** The name of the file among the exports. */
  file: text(1, 200),
  /** As ODM writes it. */
  createdAt: text(1, 40),
})
export type StructureTask = Of<typeof StructureTask>

const source = () => oneOf(...sources)
/** An upload, or the text itself. */
export const ImportTask = either(
  shape({ source: source(), fileName: text(1, 200) }),
  shape({ source: source(), content: text(0, 1 << 30) }),
)
export type ImportTask = Of<typeof ImportTask>
