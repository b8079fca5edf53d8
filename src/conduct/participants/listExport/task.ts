/** The input of the worker thread that exports the participants' list: plain JSON. */
import type { Access } from '#access/caller'
import { PackedAccess, packAccess } from '#access/packedAccess'
import { ListQuery } from '#conduct/participants/model'
import { newSecret } from '#kernel/id'
import { id, shape, text, type ValueOf } from '#wire/schema'

export const ParticipantsTask = shape({
  trial: id(),
  query: ListQuery,
  access: PackedAccess,
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
})
export type ParticipantsTask = ValueOf<typeof ParticipantsTask>

/** The input for the list that a query asks for. */
export const exportTask = (
  { _id: trial }: { _id: string },
  access: Access,
  query: ParticipantsTask['query'],
): ParticipantsTask => ({ trial, query, access: packAccess(access), file: newSecret() })
