import { join } from 'node:path'
import type { Access } from '#access/caller'
import { holdsAnywhere } from '#access/caller'
import type { Key } from '#access/keys'
import { type PackedAccess, packed, requireStill } from '#access/packed'
import { Reading } from '#conduct/responses/model'
import { trial } from '#design/trials/scope'
import type { Trial } from '#design/trials/store'
import { type Asked, anywhere, operation } from '#http/operation'
import type { Services } from '#http/services'
import { performForRequest } from '#jobs/perform'
import { type Id, newSecret } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { HOUR, instantText } from '#kernel/time'
import { newStoredName } from '#storage/names'
import { passingFile } from '#storage/passing'
import { insertFile } from '#storage/store'
import { either } from '#wire/words'
import { exportResponses as exportResponsesKind } from './job'
import { CsvExport, ExportQuery, FileExport, JsonExport, RawExport, StageQuery } from './model'
import { stageOfTrial } from './scope'
import type { Exported, ExportTask } from './task'

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** What the worker thread wrote with which permissions, and the name it lies under among the exports. */
type Made = Exported & { file: string; access: PackedAccess }

/** Has a worker thread write the export. 403 without the permission to; 503 where the disk fails. */
async function made(
  { services, now, trial, access }: Pick<Asked, 'services' | 'now'> & { trial: Trial; access?: Access },
  format: ExportTask['format'],
  stage: Id | null,
): Promise<Made> {
  const needs: Key[] = ['readParticipantStudyData']
  if (format !== 'json' && format !== 'reading') needs.push('exportData')
  if (!needs.every((key) => holdsAnywhere(access!, key))) throw refuse.lacking(['trial.exportData'])
  const file = format === 'excel' ? newStoredName('a.xlsx', now) : newSecret()
  const links = format === 'reading' ? { publicUrl: services.publicUrl, from: now } : undefined
  const input: ExportTask = { format, trial: trial._id, stage, needs, access: packed(access!), file, links }
  return { ...(await performForRequest(services, exportResponsesKind, input)), file, access: input.access }
}

/** The body of the answer as it lies on the disk. */
const answered = ({ storage }: Services, { file }: Made) => new Response(passingFile(join(storage.exports, file)))

const exportResponses = operation({
  method: 'GET',
  path: '/trials/:trialId/responses',
  summary: 'Export the study data of a trial',
  description:
    'json needs only the permission to read; raw, csv and excel need `trial.exportData` too. Archived participants, restricted and PII fields that the caller may not see, and contact details are left out.',
  scope: trial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: 'exportResponse',
  query: ExportQuery,
  returns: either(JsonExport, RawExport, CsvExport, FileExport),
  prepare: async (context) => {
    const { type = 'json' } = context.query
    if (type === 'excel' && context.trial.stageCount === 0) throw refuse.bad('The trial has no stages to export yet.')
    return made(context, type, null)
  },
  run: ({ db, services, trial, access, caller, now, query, prepared, record }) => {
    requireStill(access!, prepared.access)
    const { type = 'json', dataset = 'stage' } = query
    record({ event: { format: type, dataset, rows: prepared.rows } })
    if (type !== 'excel') return answered(services, prepared)
    const { file: storedName, bytes } = prepared
    const name = `${trial.code} ${instantText(now).slice(0, 10)}.xlsx`
    const expiresAt = now + HOUR
    insertFile(db, {
      storedName,
      createdAt: now,
      kind: 'export',
      trial: trial._id,
      forType: 'trial',
      forId: trial._id,
      createdBy: caller.user._id,
      name,
      type: WORKBOOK,
      size: bytes,
      finishedAt: now,
      expiresAt,
    })
    return { request: services.storage.downloadUrl(storedName, name, expiresAt) }
  },
})

const readStageResponses = operation({
  method: 'GET',
  path: '/trials/:trialId/stages/:stageId/responses',
  summary: 'Read or export the responses of a stage',
  description: '`type=csv` is an export, and needs `trial.exportData`. Archived participants are left out.',
  scope: stageOfTrial,
  needs: anywhere('trial.readParticipantStudyData'),
  logs: ({ type }) => (type === undefined ? undefined : 'exportResponse'),
  query: StageQuery,
  returns: either(Reading, CsvExport),
  prepare: (context) => made(context, context.query.type ?? 'reading', context.stage._id),
  run: ({ services, access, query, prepared, stage, record }) => {
    requireStill(access!, prepared.access)
    const { rows } = prepared
    record({ event: { format: query.type, dataset: 'stage', stage: stage._id, rows } })
    return answered(services, prepared)
  },
})

export const exportOperations = [exportResponses, readStageResponses]
