import { join } from 'node:path'
import { type Access, holdsAnywhere } from '#access/caller'
import { featuresOf } from '#access/features'
import { Reading } from '#conduct/review/model'
import { trial } from '#design/trials/scope'
import { startHardwareArchive } from '#exchange/hardwareArchive/start'
import { anywhere, operation } from '#http/operation'
import { responseWith } from '#jobs/growing'
import { refuse } from '#kernel/problem'
import { byQuery, type Of } from '#wire/words'
import { beginExport, wrongDataset } from './begin'
import { workbookLink } from './links'
import { CsvExport, ExportQuery, FileExport, JsonExport, RawExport, StageQuery, StartedExport } from './model'
import { stageOfTrial } from './scope'

/** Everything of wearables is written by a job, which `run` starts: nothing is prepared. */
function requireArchive({
  query: { type, columns },
  access,
}: {
  query: Of<typeof ExportQuery>
  access: Access
}): undefined {
  if (type !== 'raw' || columns !== undefined) throw wrongDataset('raw, without columns')
  if (!holdsAnywhere(access, 'exportData')) throw refuse.lacking(['trial.exportData'])
}

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
  query: ExportQuery,
  returns: byQuery('type', JsonExport, {
    raw: byQuery('dataset', RawExport, { hardware: StartedExport }),
    csv: CsvExport,
    excel: FileExport,
  }),
  streams: true,
  prepare: async (context) => {
    const { type = 'json', columns, dataset } = context.query
    if (dataset === 'hardware') return requireArchive(context)
    if (dataset === 'foodDiary' && !featuresOf(context.db, context.trial.team).foodDiaries)
      throw refuse.feature('foodDiaries')
    if (type === 'excel' && context.trial.stageCount === 0) throw refuse.bad('The trial has no stages to export yet.')
    return beginExport(context, { format: type, stage: null, columns, dataset })
  },
  run: (context) => {
    const { services, query, prepared, record } = context
    const { type = 'json', dataset = 'stage' } = query
    if (!prepared) {
      const started = startHardwareArchive(context)
      record({ event: { format: 'zip', dataset, ...started } })
      return started
    }
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
