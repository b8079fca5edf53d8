/** Starts exports for requests: a worker thread writes them. */
import type { Access, Staff } from '#access/caller'
import { holdsAnywhere } from '#access/caller'
import type { Key } from '#access/keys'
import { packAccess } from '#access/packedAccess'
import type { Db } from '#db/open'
import type { Trial } from '#design/trials/store'
import { acceptedTypes, FILE_TYPES } from '#http/contentNegotiation'
import type { RequestContext } from '#http/operation'
import { type StartedFile, startFile } from '#jobs/fileWork'
import type { Id } from '#kernel/id'
import { newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { newStoredName } from '#storage/names'
import { extensionOf } from './links'
import type { ExportRequest } from './model'
import { checkExportRequest, eventOf, filtersOf, type MakeRefusal, queryRefusal } from './request'
import { type ExportTask, exportTask, packageTypeOf } from './task'

/** What a worker thread needs to know of the request. */
type StartContext = Pick<RequestContext<Staff>, 'services' | 'now' | 'caller' | 'origin' | 'accept'> & {
  db: Db
  trial: Trial
  access: Access
}

/** The refusal of a dataset that only a type without columns has. @param type the one that has it */
export const wrongDatasetWithoutColumns = (type: string) =>
  queryRefusal('dataset', reason('datasetWithout', { type, field: 'columns' }))

/**
 * Lets a worker thread write the export. Resolves when it is written, or when a large one has begun to be. 403 without the
 * permission; 507 or 503 if the disk fails.
 * @param request a format of its own is `reading`, the body of the GET of one stage's responses
 */
export async function startExport(
  { services, now, caller, origin, accept, db, trial, access }: StartContext,
  request: Omit<ExportRequest, 'type'> & { type: ExportTask['format'] },
  { stage = null, refusal = queryRefusal }: { stage?: Id | null; refusal?: MakeRefusal } = {},
): Promise<StartedFile> {
  const { type: format, dataset, columns, values, shape, table } = request
  checkExportRequest({ ...request, type: format === 'reading' ? undefined : format }, refusal)
  const needs: Key[] = ['readParticipantStudyData']
  if (format !== 'json' && format !== 'reading') needs.push('exportData')
  if (!needs.every((key) => holdsAnywhere(access, key))) throw refuse.missingPermission(['trial.exportData'])
  const filters = filtersOf({ db, trial, access }, request, refusal)
  if (filters?.flags) needs.push('readParticipants')
  if (!needs.every((key) => holdsAnywhere(access, key))) throw refuse.missingPermission(['trial.readParticipants'])
  // A program that reads one file of Parquet is given one, in place of a package.
  const isAlone = format === 'parquet' && acceptedTypes(accept).has(FILE_TYPES.parquet)
  const extension = extensionOf(format, isAlone)
  const file = extension === undefined ? newSecret() : newStoredName(`a.${extension}`, now)
  const links = format === 'reading' ? { publicUrl: origin, from: now } : undefined
  const input: ExportTask = {
    ...{ format, dataset, columns, values, shape, escape: request.escape, table, filters },
    ...{ history: request.history, odmVersion: request.odmVersion, isAlone },
    trial: trial._id,
    stage,
    needs,
    access: packAccess(access),
    file,
    links,
    about: packageTypeOf(format) && {
      at: now,
      email: caller.user.email,
      asked: eventOf({ ...request, type: undefined }),
    },
  }
  return startFile(services, exportTask, input, caller)
}
