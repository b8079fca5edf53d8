/** Starts exports for requests: a worker thread writes them. */
import type { Access, Staff } from '#access/caller'
import { holdsAnywhere } from '#access/caller'
import type { Key } from '#access/keys'
import { packAccess } from '#access/packed'
import type { Trial } from '#design/trials/store'
import type { RequestContext } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import { newSecret } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import { Problem, refuse } from '#kernel/problem'
import { type Growth, growth } from '#storage/growingFile'
import { newStoredName } from '#storage/names'
import { exportResponses } from './job'
import type { ExportResult, ExportTask, Written } from './task'

/** The name of the file in the folder of exports, and its rows. */
export type BegunExport = { file: string; rows: number } & (
  | { bytes: number; growth?: undefined }
  /** A large one is still being written. `whole` resolves to its bytes when it is written, and rejects if that failed. */
  | { growth: Growth; whole: Promise<number> }
)

/** What a worker thread needs to know of the request. */
type Asked = Pick<RequestContext<Staff>, 'services' | 'now' | 'caller' | 'origin'> & { trial: Trial; access: Access }

/**
 * Lets a worker thread write the export. Resolves when it is written, or when a large one has begun to be. 403 without the
 * permission; 507 or 503 if the disk fails.
 */
export async function beginExport(
  { services, now, caller, origin, trial, access }: Asked,
  { format, stage, columns }: Pick<ExportTask, 'format' | 'stage' | 'columns'>,
): Promise<BegunExport> {
  if (columns !== undefined && format !== 'csv' && format !== 'excel') {
    throw refuse.invalid({ columns: ['Only csv and excel have columns: set type too.'] }, 'query')
  }
  const needs: Key[] = ['readParticipantStudyData']
  if (format !== 'json' && format !== 'reading') needs.push('exportData')
  if (!needs.every((key) => holdsAnywhere(access, key))) throw refuse.lacking(['trial.exportData'])
  const file = format === 'excel' ? newStoredName('a.xlsx', now) : newSecret()
  const links = format === 'reading' ? { publicUrl: origin, from: now } : undefined
  const input: ExportTask = { format, columns, trial: trial._id, stage, needs, access: packAccess(access), file, links }
  return begun(services, caller, input)
}

function begun(services: Asked['services'], caller: Staff, input: ExportTask): Promise<BegunExport> {
  const { file } = input
  const grows = growth()
  let isBegun = false
  return new Promise((resolve, reject) => {
    const result = performForRequest(services, exportResponses, input, caller, (so: JsonObject) => {
      const { rows, bytes } = so as Written
      grows.grew(bytes)
      if (!isBegun) resolve({ rows, file, growth: grows, whole })
      isBegun = true
    })
    const whole = result.then(({ bytes }) => bytes)
    whole.catch(() => {}) // nobody may wait for it
    result.then(
      ({ rows, bytes }: ExportResult) => {
        grows.grew(bytes)
        grows.ended()
        resolve({ rows, bytes, file })
      },
      (reason) => {
        grows.ended(reason)
        reject(reason)
        // The response has begun: what becomes of it is not answered any more, only logged.
        if (isBegun && !(reason instanceof Problem)) services.fault(reason, exportResponses.kind)
      },
    )
  })
}
