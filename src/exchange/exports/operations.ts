import { join } from 'node:path'
import { Reading } from '#conduct/review/model'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { responseWith } from '#jobs/growing'
import { refuse } from '#kernel/problem'
import { byQuery } from '#wire/words'
import { beginExport } from './begin'
import { workbookLink } from './links'
import { CsvExport, ExportQuery, FileExport, JsonExport, RawExport, StageQuery } from './model'
import { stageOfTrial } from './scope'

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
    return beginExport(context, { format: type, stage: null, columns })
  },
  run: (context) => {
    const { services, query, prepared, record } = context
    const { type = 'json', dataset = 'stage' } = query
    record({ event: { format: type, dataset, rows: prepared.rows } })
    return type === 'excel'
      ? { request: workbookLink(context, prepared) }
      : responseWith(join(services.storage.exports, prepared.file), prepared)
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
    return beginExport(context, { format: type, stage: context.stage._id, columns })
  },
  run: ({ services, query, prepared, stage, record }) => {
    const { rows } = prepared
    record({ event: { format: query.type, dataset: 'stage', stage: stage._id, rows } })
    return responseWith(join(services.storage.exports, prepared.file), prepared)
  },
})

export const exportOperations = [exportResponses, readStageResponses] as const
