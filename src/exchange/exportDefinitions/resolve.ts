/** What an export is asked for: by its query, or by a saved export that the query names. */
import { type Access, holds } from '#access/caller'
import type { Db } from '#db/open'
import type { ExportQuery, ExportRequest } from '#exchange/exports/model'
import { definitionRefusal, exportRequestOf, type MakeRefusal, queryRefusal } from '#exchange/exports/request'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { definitionById } from './store'

type Request = { db: Db; trial: { _id: Id }; access: Access; query: ExportQuery }

/**
 * Beside a saved export only the type may be given. @throws 422 if more is given, or the saved export is not of this trial; 403
 * without the permission to use saved exports
 */
export function resolve({ db, trial, access, query }: Request): { request: ExportRequest; refusal: MakeRefusal } {
  const { definition, type, ...rest } = query
  if (definition === undefined) {
    const { dataset } = query
    return {
      request: exportRequestOf({ ...query, dataset: dataset === 'hardware' ? undefined : dataset }),
      refusal: queryRefusal,
    }
  }
  if (!holds(access, 'exportData')) throw refuse.missingPermission(['trial.exportData'])
  const other = Object.entries(rest).find(([, value]) => value !== undefined)?.[0]
  if (other !== undefined) throw queryRefusal(other, reason('besideSavedExport'))
  const saved = definitionById(db, definition)
  if (saved?.trial !== trial._id) throw queryRefusal('definition', reason('savedExportUnknown'))
  return { request: { ...saved.settings, type }, refusal: definitionRefusal }
}
