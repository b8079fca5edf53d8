/** Stage groups on the wire (docs/forms.md, "Stages"). */
import {
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const Member = shape('StageGroupMember', {
  stage: id(),
  recurrence: maybe(withDescription('The occurrence, from 0; null for all of them.', orNull(whole(0)))),
})

export const StageGroupInput = shape('StageGroupInput', {
  name: oneLine(1, 200),
  description: maybe(orNull(text(0, 2000))),
  colour: maybe(withDescription('A colour name or hex value.', orNull(text(1, 40)))),
  index: maybe(withDescription('Position in the list; without it, the end.', whole(0))),
  stages: maybe(list(Member)),
})
export type StageGroupInput = ValueOf<typeof StageGroupInput>

export const StageGroup = joinShapes(
  'StageGroup',
  shape({ _id: id(), createdAt: instant(), trial: id() }),
  StageGroupInput,
)

export const StageGroups = shape('StageGroups', { stageGroups: list(StageGroup) })
