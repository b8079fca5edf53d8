import type { Places, Staff } from '#access/caller'
import { type InTrial, trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { isUnknownTo, placesOf, type Sight, sightOf } from './rules'
import { type FileRow, fileById } from './store'

/** What operations on files have: the caller is staff, and sees the trial. */
export type FileContext = RequestContext<Staff> & InTrial

/** `sight`: `nothing` only for a person who may read no file of the trial; the permission check then refuses them. */
export type InFile = InTrial & { file: FileRow; places: Places; sight: Sight }

/** The file with this `_id`; 404 unless the caller sees it (docs/master-file.md, "Who sees what"). */
export function fileVisibleTo(context: Pick<RequestContext<Staff>, 'db' | 'caller'>, _id: Id): InFile {
  const file = found(fileById(context.db, _id), 'file')
  const inTrial = trialVisibleTo(context, file.trial, 'file')
  const sight = sightOf(inTrial.access, file)
  if (sight === 'nothing' && isUnknownTo(inTrial.access, file.site)) throw refuse.missing('file')
  return { ...inTrial, file, places: placesOf(file.site), sight }
}

/** The file that `:fileId` names. */
export const file: Scope<InFile, 'fileId'> = (context) => fileVisibleTo(context, context.params.fileId)
