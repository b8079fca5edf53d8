import { PackedAccess } from '#access/packed'
import { asItIs, workerKind } from '#jobs/kind'
import { id, type Of, oneOf, orNull, shape, text, whole } from '#wire/words'

const FormTask = shape({
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

/** Writes the case report form of a stage to a file among the exports. */
export const exportForm = workerKind({
  kind: 'exportForm',
  input: FormTask,
  work: async () => (await import('./work')).formWork,
  finish: asItIs,
})
