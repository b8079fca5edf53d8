import { join } from 'node:path'
import { type Access, holdsAnywhere } from '#access/caller'
import { featuresOf } from '#access/features'
import { StageReading } from '#conduct/review/model'
import { trial } from '#design/trials/scope'
import { resolve } from '#exchange/exportDefinitions/resolve'
import { startHardwareArchive } from '#exchange/hardwareArchive/start'
import { anywhere, operation } from '#http/operation'
import { responseWith, type StartedFile } from '#jobs/fileWork'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { byQuery } from '#wire/schema'
import { exportLink, extensionOf } from './links'
import {
  CsvExport,
  ExportQuery,
  type ExportRequest,
  FileExport,
  JsonExport,
  RawExport,
  StageQuery,
  StartedExport,
} from './model'
import { eventOf, exportRequestOf, queryRefusal } from './request'
import { stageOfTrial } from './scope'
import { startExport, wrongDatasetWithoutColumns } from './start'
import { isOfResponses, type PackageType, packageTypeOf, packageTypes } from './task'

/** Everything of wearables is written by a job, which `run` starts: nothing is prepared. */
function requireArchive({ query, access }: { query: ExportQuery; access: Access }): undefined {
  const { type, dataset: _, ...rest } = query
  if (type !== 'raw' || Object.values(rest).some((value) => value !== undefined))
    throw wrongDatasetWithoutColumns('raw')
  if (!holdsAnywhere(access, 'exportData')) throw refuse.missingPermission(['trial.exportData'])
}

/** What a large export in another shape counts before it is written: the responses that it is made of. */
const countOf = ({ shape, dataset = 'stage' }: ExportRequest, { rows, growth }: StartedFile) =>
  growth && (shape === 'long' || (isOfResponses(dataset) && dataset !== 'stage')) ? { responses: rows } : { rows }

const packages = Object.fromEntries(packageTypes.map((type) => [type, FileExport])) as Record<
  PackageType,
  typeof FileExport
>

const exportResponses = operation({
  id: 'exportResponses',
  method: 'GET',
  path: '/trials/:trialId/responses',
  summary: 'Export the study data of a trial',
  description:
    'json needs only the permission to read; raw, csv and excel need `trial.exportData` too. `type=csv` with a dataset of wearables has a row for each record; `type=raw&dataset=hardware` starts a job whose result holds `request`, a link to a zip. Archived participants, restricted and PII fields that the caller may not see, and contact details are left out.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: 'exportResponse',
  reads: 'filter',
  query: ExportQuery,
  returns: byQuery('type', JsonExport, {
    raw: byQuery('dataset', RawExport, { hardware: StartedExport }),
    csv: CsvExport,
    excel: FileExport,
    ...packages,
  }),
  streams: true,
  prepare: async (context) => {
    const { db, trial, query } = context
    if (query.dataset === 'hardware') return requireArchive(context)
    const { request, refusal } = resolve(context)
    const { type = 'json', dataset } = request
    if (dataset === 'foodDiary' && !featuresOf(db, trial.team).foodDiaries) throw refuse.feature('foodDiaries')
    if (packageTypeOf(type) && !featuresOf(db, trial.team).advancedExport) throw refuse.feature('advancedExport')
    if (extensionOf(type) && trial.stageCount === 0) throw refuse.bad('noStagesToExport')
    return { asked: request, type, startedFile: await startExport(context, { ...request, type }, { refusal }) }
  },
  run: (context) => {
    const { services, query, prepared, record } = context
    if (!prepared) {
      const started = startHardwareArchive(context)
      record({ event: { format: 'zip', dataset: 'hardware', ...started } })
      return started
    }
    const { asked: request, type, startedFile } = prepared
    const definition = query.definition === undefined ? {} : { definition: query.definition }
    record({ event: { format: type, ...eventOf(request), ...definition, ...countOf(request, startedFile) } })
    return extensionOf(type)
      ? { request: exportLink(context, startedFile, type) }
      : responseWith(join(services.storage.exports, startedFile.file), startedFile)
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
  reads: 'filter',
  query: StageQuery,
  returns: byQuery('type', StageReading, { csv: CsvExport }),
  streams: true,
  prepare: async (context) => {
    const request = exportRequestOf(context.query)
    const { type = 'reading' } = context.query
    if (type === 'reading') requireNothing(request)
    return {
      asked: request,
      startedFile: await startExport(context, { ...request, type }, { stage: context.stage._id }),
    }
  },
  run: ({ services, query, prepared: { asked: request, startedFile }, stage, record }) => {
    record({ event: { format: query.type, ...eventOf(request), stage: stage._id, ...countOf(request, startedFile) } })
    return responseWith(join(services.storage.exports, startedFile.file), startedFile)
  },
})

/** Refuses what only an export has, when the responses are read. */
function requireNothing(request: ExportRequest): void {
  const [field] = Object.keys(request)
  if (field === 'columns') throw queryRefusal(field, reason('onlyOfCells', { field }))
  if (field !== undefined) throw queryRefusal(field, reason('onlyForExports'))
}

export const exportOperations = [exportResponses, readStageResponses] as const
