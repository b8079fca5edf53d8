/** What a worker thread is sent of a form to write. */
import { PackedAccess } from '#access/packed'
import { id, type Of, oneOf, orNull, shape, text, whole } from '#wire/words'

export const FormTask = shape({
  format: oneOf('pdf', 'docx'),
  trial: id(),
  stage: id(),
  /** The answers to fill in, as far as these permissions show them. */
  response: orNull(shape({ _id: id(), access: PackedAccess })),
  /** The name of the file among the exports. */
  file: text(1, 200),
  /** In microseconds. */
  now: whole(),
})
export type FormTask = Of<typeof FormTask>
