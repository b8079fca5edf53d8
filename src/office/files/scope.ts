import type { Places, Staff } from '#access/caller'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { RequestContext, Scope } from '#http/operation'
import type { Id } from '#kernel/id'
import { found, refuse } from '#kernel/problem'
import { isHiddenFrom, placesOf, type VisibleVersions, visibleVersionsOf } from './rules'
import { type FileRow, fileById } from './store'

/** What operations on files have: the caller is staff, and sees the trial. */
export type FileContext = RequestContext<Staff> & TrialScope

/** `sight`: `nothing` only for a person who may read no file of the trial; the permission check then refuses them. */
export type VisibleFile = TrialScope & { file: FileRow; places: Places; visibleVersions: VisibleVersions }

/** The file with this `_id`; 404 unless the caller sees it (docs/master-file.md, "Who sees what"). */
export function fileVisibleTo(context: Pick<RequestContext<Staff>, 'db' | 'caller'>, _id: Id): VisibleFile {
  const file = found(fileById(context.db, _id), 'file')
  const inTrial = trialVisibleTo(context, file.trial, 'file')
  const visibleVersions = visibleVersionsOf(inTrial.access, file)
  if (visibleVersions === 'nothing' && isHiddenFrom(inTrial.access, file.site)) throw refuse.missing('file')
  return { ...inTrial, file, places: placesOf(file.site), visibleVersions }
}

/** The file that `:fileId` names. */
export const file: Scope<VisibleFile, 'fileId'> = (context) => fileVisibleTo(context, context.params.fileId)
