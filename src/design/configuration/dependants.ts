import { dependantsOf } from '#design/schedule/problems'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Configuration } from './configuration'

/** Refuses (400) to delete a site, group, anchor or stage that stages or anchors refer to. The error names these. */
export function refuseReferenced(
  { stageOrder, anchors }: Pick<Configuration, 'stageOrder' | 'anchors'>,
  { _id, name }: { _id: Id; name: string },
): void {
  const dependants = dependantsOf(_id, stageOrder, anchors)
  if (dependants.length) throw refuse.stillInUse(name, dependants)
}
