/** Anchors on the wire (docs/timelines.md, "Anchors"). */
import { reason } from '#kernel/refusals/reason'
import {
  either,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const AssignmentRule = {
  ...either(
    shape({ type: oneOf('manual') }),
    shape({ type: oneOf('participant_login') }),
    shape('StageAssignmentRule', {
      type: oneOf('stage_completion'),
      stageId: id(),
      stageRecurrence: maybe(orNull(whole(0))),
    }),
  ),
  problem: reason('notAnchorRule'),
}

export const AnchorInput = shape('AnchorInput', {
  name: oneLine(1, 100),
  description: maybe(orNull(text(0, 500))),
  assignmentRule: maybe(withDescription('The event that sets it; without it, only staff do.', AssignmentRule)),
})
export type AnchorInput = ValueOf<typeof AnchorInput>

export const Anchor = joinShapes('Anchor', shape({ _id: id(), createdAt: instant(), trial: id() }), AnchorInput)

export const Anchors = shape('Anchors', { anchors: list(Anchor) })
