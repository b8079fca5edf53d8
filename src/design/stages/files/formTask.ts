/** The input of a worker thread that writes a form. */

import { PackedAccess } from '#access/packedAccess'
import type { TaskKind } from '#jobs/kind'
import { id, oneOf, orNull, shape, text, type ValueOf, whole } from '#wire/schema'

export const FormTask = shape({
  format: oneOf('pdf', 'docx'),
  trial: id(),
  stage: id(),
  /** The response to fill in; only answers that these permissions show. */
  response: orNull(shape({ _id: id(), access: PackedAccess })),
  /** The language of the texts of a blank form; null for the texts themselves. */
  language: orNull(text(1, 100)),
  /** The name of the file among the exports. */
  file: text(1, 200),
  /** In microseconds. */
  now: whole(),
})
export type FormTask = ValueOf<typeof FormTask>

export const formTask: TaskKind<FormTask, { bytes: number }> = { kind: 'exportForm', input: FormTask }
