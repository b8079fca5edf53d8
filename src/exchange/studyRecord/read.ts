/** What the parts of a study record are read from: its configuration, its participants, its versions. */
import { type Access, scopeOf } from '#access/caller'
import { participantSheet } from '#conduct/participants/listExport/csv'
import { facet } from '#conduct/participants/rules'
import type { Db } from '#db/open'
import type { AnchorRow } from '#design/anchors/store'
import { compile } from '#design/configuration/configuration'
import type { Snapshot } from '#design/configurationVersions/model'
import { versionAt } from '#design/configurationVersions/store'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { StageRow } from '#design/stages/store'
import type { StudyRecordTask } from '#design/studyRecord/task'
import type { Trial } from '#design/trials/store'
import { type ExportContext, exportContextOf } from '#exchange/exports/context'
import { found } from '#kernel/problem'
import { instantText } from '#kernel/time'

/** What an export needs, with the configuration of the record. */
export function exportContextWith(
  db: Db,
  { trial, access }: StudyRecordTask,
  { dataTypes, stages, anchors }: Snapshot,
): ExportContext {
  // The stored form: moments in it are text, but nothing here reads them.
  const compiled = compile(dataTypes as DataTypeRow[], stages as StageRow[], anchors as AnchorRow[])
  return exportContextOf(
    db,
    { trial, stage: null, needs: ['readParticipantStudyData', 'exportData'], access },
    { atConfiguration: compiled, isStepwise: true },
  )
}

/** The participants, with contact details for readers who may see them. */
export const participantTable = (db: Db, { _id }: Trial, access: Access) =>
  participantSheet(
    db,
    {
      trial: _id,
      passes: (facets) => !(facets & facet.archived),
      find: { scope: 'all' },
      sort: 'id',
      descending: false,
    },
    scopeOf(access, ['readParticipantPersonalInformation']),
  )

/** The configuration versions with these numbers, as JSON. */
export function* versionsText(db: Db, { _id }: Trial, numbers: readonly number[]): Generator<string> {
  yield '{"versions":['
  for (const [at, number] of numbers.entries()) {
    const version = found(versionAt(db, _id, number), 'trial') // versions go only with their trial
    yield `${at ? ',' : ''}\n${JSON.stringify({ ...version, createdAt: instantText(version.createdAt) })}`
  }
  yield '\n]}'
}
