/** Starts exports for requests: a worker thread writes them. */
import type { Access, Staff } from '#access/caller'
import { holdsAnywhere } from '#access/caller'
import type { Key } from '#access/keys'
import { packAccess } from '#access/packed'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { type BegunFile, beginFile } from '#jobs/growing'
import { newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { newStoredName } from '#storage/names'
import { exportResponses } from './job'
import type { ExportTask } from './task'

/** What a worker thread needs to know of the request. */
type Asked = Pick<RequestContext<Staff>, 'services' | 'now' | 'caller' | 'origin'> & { trial: Trial; access: Access }

/** The refusal of a dataset that this type does not have. @param type the one that has it */
export const wrongDataset = (type: string) =>
  refuse.invalid({ dataset: [`This dataset is exported as ${type}: set type too.`] }, 'query')

/**
 * Lets a worker thread write the export. Resolves when it is written, or when a large one has begun to be. 403 without the
 * permission; 507 or 503 if the disk fails.
 */
export async function beginExport(
  { services, now, caller, origin, trial, access }: Asked,
  { format, stage, columns, dataset }: Pick<ExportTask, 'format' | 'stage' | 'columns' | 'dataset'>,
): Promise<BegunFile> {
  const isOther = dataset !== undefined && dataset !== 'stage'
  if (isOther && (format !== 'csv' || columns !== undefined)) throw wrongDataset('csv, without columns')
  if (columns !== undefined && format !== 'csv' && format !== 'excel') {
    throw refuse.invalid({ columns: ['Only csv and excel have columns: set type too.'] }, 'query')
  }
  const needs: Key[] = ['readParticipantStudyData']
  if (format !== 'json' && format !== 'reading') needs.push('exportData')
  if (!needs.every((key) => holdsAnywhere(access, key))) throw refuse.lacking(['trial.exportData'])
  const file = format === 'excel' ? newStoredName('a.xlsx', now) : newSecret()
  const links = format === 'reading' ? { publicUrl: origin, from: now } : undefined
  const input: ExportTask = {
    format,
    columns,
    dataset,
    trial: trial._id,
    stage,
    needs,
    access: packAccess(access),
    file,
    links,
  }
  return beginFile(services, exportResponses, input, caller)
}
