/** Anchors on the wire (docs/timelines.md, "Anchors"). */
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

const AssignmentRule = {
  ...t.either(
    t.shape({ type: t.oneOf('manual') }),
    t.shape({ type: t.oneOf('participant_login') }),
    t.shape('StageAssignmentRule', {
      type: t.oneOf('stage_completion'),
      stageId: t.id(),
      stageRecurrence: t.maybe(t.orNull(t.whole(0))),
    }),
  ),
  problem: reason('notAnchorRule'),
}

export const AnchorInput = t.shape('AnchorInput', {
  name: t.oneLine(1, 100),
  description: t.maybe(t.orNull(t.text(0, 500))),
  assignmentRule: t.maybe(t.withDescription('The event that sets it; without it, only staff do.', AssignmentRule)),
})
export type AnchorInput = t.ValueOf<typeof AnchorInput>

export const Anchor = t.joinShapes(
  'Anchor',
  t.shape({ _id: t.id(), createdAt: t.instant(), trial: t.id() }),
  AnchorInput,
)

export const Anchors = t.shape('Anchors', { anchors: t.list(Anchor) })
