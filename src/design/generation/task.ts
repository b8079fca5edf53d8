/** The input of a worker thread that reads a description: plain JSON. */
import type { TaskKind } from '#jobs/kind'
import { either, flag, id, list, maybe, orNull, shape, text, type ValueOf } from '#wire/schema'

/** The operations limit the length of texts; this limit is only for the type. */
const LONGEST = 10_000_000

/** What to make from the plan: stages of a trial, or a trial of a team. */
const GenerationTarget = either(
  shape({ trial: id() }),
  shape({
    team: id(),
    name: maybe(text(0, LONGEST)),
    description: orNull(text(0, LONGEST)),
    restrictRegistration: flag(),
  }),
)
export type GenerationTarget = ValueOf<typeof GenerationTarget>

export const GenerationTask = shape({
  prompt: text(0, LONGEST),
  files: list(shape({ storedName: text(1, 200), name: text(0, LONGEST), type: text(0, LONGEST) })),
  into: GenerationTarget,
})
export type GenerationTask = ValueOf<typeof GenerationTask>

export const generationTask: TaskKind<GenerationTask> = { kind: 'readProtocol', input: GenerationTask }
