/** Stage groups on the wire (docs/forms.md, "Stages"). */
import * as t from '#wire/schema'

const Member = t.shape('StageGroupMember', {
  stage: t.id(),
  recurrence: t.maybe(t.withDescription('The occurrence, from 0; null for all of them.', t.orNull(t.whole(0)))),
})

export const StageGroupInput = t.shape('StageGroupInput', {
  name: t.oneLine(1, 200),
  description: t.maybe(t.orNull(t.text(0, 2000))),
  colour: t.maybe(t.withDescription('A colour name or hex value.', t.orNull(t.text(1, 40)))),
  index: t.maybe(t.withDescription('Position in the list; without it, the end.', t.whole(0))),
  stages: t.maybe(t.list(Member)),
})
export type StageGroupInput = t.ValueOf<typeof StageGroupInput>

export const StageGroup = t.joinShapes(
  'StageGroup',
  t.shape({ _id: t.id(), createdAt: t.instant(), trial: t.id() }),
  StageGroupInput,
)

export const StageGroups = t.shape('StageGroups', { stageGroups: t.list(StageGroup) })
