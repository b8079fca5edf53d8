/** What a worker thread is told of a description to read: JSON through and through. */
import { either, flag, id, list, maybe, type Of, orNull, shape, text } from '#wire/words'

/** What may be said is bounded where it is asked for; here it only has to be text. */
const LONGEST = 10_000_000

/** What a plan is to become: stages of a trial, or a trial of a team. */
const Into = either(
  shape({ trial: id() }),
  shape({
    team: id(),
    name: maybe(text(0, LONGEST)),
    description: orNull(text(0, LONGEST)),
    restrictRegistration: flag(),
  }),
)
export type Into = Of<typeof Into>

export const GenerationTask = shape({
  prompt: text(0, LONGEST),
  files: list(shape({ storedName: text(1, 200), name: text(0, LONGEST), type: text(0, LONGEST) })),
  into: Into,
})
export type GenerationTask = Of<typeof GenerationTask>
