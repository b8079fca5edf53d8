import { join } from 'node:path'
import type { Access, Staff } from '#access/caller'
import { holdsAnywhere } from '#access/caller'
import type { Key } from '#access/keys'
import { packAccess } from '#access/packed'
import { Reading } from '#conduct/review/model'
import { trial } from '#design/trials/scope'
import type { Trial } from '#design/trials/store'
import { shareExport } from '#exchange/imports/structureFiles'
import { anywhere, operation, type RequestContext } from '#http/operation'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import { newSecret } from '#kernel/id'
import type { JsonObject } from '#kernel/json'
import { Problem, refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { type Growth, growth, streamGrowing } from '#storage/growingFile'
import { newStoredName } from '#storage/names'
import { streamAndDelete } from '#storage/temporaryFiles'
import { byQuery } from '#wire/words'
import { exportResponses as exportResponsesKind } from './job'
import { CsvExport, ExportQuery, FileExport, JsonExport, RawExport, StageQuery } from './model'
import { stageOfTrial } from './scope'
import type { ExportResult, ExportTask, Written } from './task'

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The name of the file in the folder of exports, its rows and bytes. `growth` is set while a large one is still being written. */
type WrittenExport = Pick<ExportResult, 'rows' | 'bytes'> & { file: string; growth?: Growth }

/**
 * Lets a worker thread write the export. Resolves when it is written, or when a large one has begun to be. 403 without the
 * permission; 507 or 503 if the disk fails.
 */
async function writeExport(
  {
    services,
    now,
    caller,
    origin,
    trial,
    access,
  }: Pick<RequestContext<Staff>, 'services' | 'now' | 'caller' | 'origin'> & { trial: Trial; access: Access },
  { format, stage, columns }: Pick<ExportTask, 'format' | 'stage' | 'columns'>,
): Promise<WrittenExport> {
  if (columns !== undefined && format !== 'csv' && format !== 'excel') {
    throw refuse.invalid({ columns: ['Only csv and excel have columns: set type too.'] }, 'query')
  }
  const needs: Key[] = ['readParticipantStudyData']
  if (format !== 'json' && format !== 'reading') needs.push('exportData')
  if (!needs.every((key) => holdsAnywhere(access, key))) throw refuse.lacking(['trial.exportData'])
  const file = format === 'excel' ? newStoredName('a.xlsx', now) : newSecret()
  const links = format === 'reading' ? { publicUrl: origin, from: now } : undefined
  const input: ExportTask = { format, columns, trial: trial._id, stage, needs, access: packAccess(access), file, links }
  const grows = growth()
  let isBegun = false
  return new Promise((resolve, reject) => {
    const report = (so: JsonObject) => {
      const { rows, bytes } = so as Written
      isBegun = true
      grows.grew(bytes)
      resolve({ rows, bytes, file, growth: grows })
    }
    performForRequest(services, exportResponsesKind, input, caller, report).then(
      (result) => {
        grows.grew(result.bytes)
        grows.ended()
        resolve({ ...result, file })
      },
      (reason) => {
        grows.ended(reason)
        reject(reason)
        // The response has begun: what becomes of it is not answered any more, only logged.
        if (isBegun && !(reason instanceof Problem)) services.fault(reason, exportResponsesKind.kind)
      },
    )
  })
}

/** A response whose body is the file on the disk. */
function responseWith({ storage }: Services, { file, growth }: WrittenExport): Response {
  const path = join(storage.exports, file)
  return new Response(growth ? streamGrowing(path, growth) : streamAndDelete(path))
}

/** A link to a workbook, valid for an hour. */
function linkTo(context: Parameters<typeof shareExport>[0] & { trial: Trial }, { file, bytes }: WrittenExport): string {
  const name = `${context.trial.code} ${instantText(context.now).slice(0, 10)}.xlsx`
  return shareExport(context, { storedName: file, name, type: WORKBOOK, size: bytes })
}

const exportResponses = operation({
  id: 'exportResponses',
  method: 'GET',
  path: '/trials/:trialId/responses',
  summary: 'Export the study data of a trial',
  description:
    'json needs only the permission to read; raw, csv and excel need `trial.exportData` too. Archived participants, restricted and PII fields that the caller may not see, and contact details are left out.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: 'exportResponse',
  query: ExportQuery,
  returns: byQuery('type', JsonExport, { raw: RawExport, csv: CsvExport, excel: FileExport }),
  streams: true,
  prepare: async (context) => {
    const { type = 'json', columns } = context.query
    if (type === 'excel' && context.trial.stageCount === 0) throw refuse.bad('The trial has no stages to export yet.')
    return writeExport(context, { format: type, stage: null, columns })
  },
  run: (context) => {
    const { services, query, prepared, record } = context
    const { type = 'json', dataset = 'stage' } = query
    record({ event: { format: type, dataset, rows: prepared.rows } })
    return type === 'excel' ? { request: linkTo(context, prepared) } : responseWith(services, prepared)
  },
})

const readStageResponses = operation({
  id: 'readStageResponses',
  method: 'GET',
  path: '/trials/:trialId/stages/:stageId/responses',
  summary: 'Read or export the responses of a stage',
  description: '`type=csv` is an export, and needs `trial.exportData`. Archived participants are left out.',
  scope: stageOfTrial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: ({ type }) => (type === undefined ? undefined : 'exportResponse'),
  query: StageQuery,
  returns: byQuery('type', Reading, { csv: CsvExport }),
  streams: true,
  prepare: (context) => {
    const { type = 'reading', columns } = context.query
    return writeExport(context, { format: type, stage: context.stage._id, columns })
  },
  run: ({ services, query, prepared, stage, record }) => {
    const { rows } = prepared
    record({ event: { format: query.type, dataset: 'stage', stage: stage._id, rows } })
    return responseWith(services, prepared)
  },
})

export const exportOperations = [exportResponses, readStageResponses] as const
