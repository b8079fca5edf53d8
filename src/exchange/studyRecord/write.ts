/** Writes a study record: all data of a trial in one archive that can be read without Trialbox. */
import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Access, scopeOf } from '#access/caller'
import { unpackAccess } from '#access/packed'
import { headOf } from '#audit/store'
import { participantSheet } from '#conduct/participants/csv'
import { facet } from '#conduct/participants/rules'
import type { Db } from '#db/open'
import type { AnchorRow } from '#design/anchors/store'
import { compile } from '#design/configuration/configuration'
import type { Snapshot } from '#design/configurationVersions/model'
import { snapshotOf } from '#design/configurationVersions/snapshot'
import { versionAt, versionNumbers } from '#design/configurationVersions/store'
import type { DataTypeRow } from '#design/dataTypes/store'
import type { StageRow } from '#design/stages/store'
import { type Trial, trialById } from '#design/trials/store'
import { openParts, type Parts } from '#exchange/archives/parts'
import { uniqueHeaders } from '#exchange/exports/columns'
import { type ExportContext, exportContextOf } from '#exchange/exports/context'
import { jsonText } from '#exchange/exports/documents'
import { foodDiaryTable } from '#exchange/exports/foodDiary'
import { hasDiaries } from '#exchange/exports/foodDiaryStore'
import { withOwnChanges } from '#exchange/exports/pages'
import { dropParticipants, inLongStep, participantCount } from '#exchange/exports/store'
import { sheetOf, stageTable } from '#exchange/exports/tables'
import type { WorkerSetup } from '#jobs/messages'
import { found, refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { safeFileName, uploadPath } from '#storage/names'
import { flushFolder, hashOfFile, replaceFileLater } from '#writers/file'
import { type Added, addFiles } from './addFiles'
import { boardTable } from './boards'
import { CHAIN, chainText } from './chain'
import { writeHardware } from './hardware'
import { writeOffice } from './office'
import { reviewTables } from './reviewTables'
import { accountEntryNumbers, archivedCount, type Dataset, headAt, newestDataset, newestEntry } from './store'
import { accountTrail, codebook, messageTable, trail } from './tables'
import type { StudyRecord, StudyRecordTask } from './task'
import { hasFiles, uploadsOf } from './uploads'

/** The folders of the service, and the secret that the key of records follows from. */
type Places = Pick<WorkerSetup, 'exports' | 'files' | 'storageKey'>

/**
 * Writes the record of one state of the database, in constant memory. It is read in short transactions, as a large export is (see
 * `exports/pages.ts`). The record of a lock has the data types and stages as they were at the lock, and the audit trail up to it; if the
 * database is no longer as it was at the lock, the function throws. Nothing else may use the connection until it ends.
 */
export async function writeStudyRecord(
  db: Db,
  task: StudyRecordTask,
  places: Places,
  progress: (text: string) => void,
): Promise<StudyRecord> {
  const path = join(places.exports, task.file)
  const contents = await replaceFileLater(path, async (output) => {
    const parts = openParts(output, places.storageKey)
    try {
      const read = await writeTables(db, task, parts, progress)
      progress('Adding the uploaded files.')
      const added = addFiles(read.uploads, places, parts)
      const record = await writeRest(read, added, parts)
      parts.end()
      return record
    } finally {
      dropParticipants(db)
    }
  })
  progress('Checking what was written.')
  const record = { ...contents, bytes: statSync(path).size, sha256: hashOfFile(path) }
  if (task.dataset !== null) keep(path, uploadPath(places.files, task.file))
  return record
}

/** Moves a record into the folder of permanent files. */
function keep(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  flushFolder(dirname(to))
}

/** The lock that a record belongs to. @throws if the database was unlocked since: its data may have changed */
function lockedBy(db: Db, trial: Trial, dataset: StudyRecordTask['dataset']): Dataset | undefined {
  if (dataset === null) return undefined
  const newest = newestDataset(db, trial._id)
  if (trial.isDatabaseLocked && newest?._id === dataset) return newest
  throw refuse.bad('The database was unlocked before its record was made: lock it again to have one.')
}

/** Writes what is of the first moment and has no numbered history: participants, sites, packs, randomisations and the master file. Returns what the rest is read with. */
async function writeFirst(db: Db, task: StudyRecordTask, parts: Parts) {
  const trial = found(trialById(db, task.trial), 'trial')
  const access = unpackAccess(task.access)
  const lock = lockedBy(db, trial, task.dataset)
  const configuration = lock ? versionAt(db, trial._id, lock.version)!.snapshot : snapshotOf(db, trial)
  const from = exportContextWith(db, task, configuration)
  const count = { rows: 0 }
  const form = { columns: 'expanded', values: 'stored', cells: 'text', tables: 'inline' } as const
  const stages = from.stages.map((stage) => ({
    stage,
    table: stageTable(from, stage, form, count),
    hasFiles: hasFiles(from, stage),
  }))
  const accountEntries = accountEntryNumbers(db, trial, lock?.createdAt ?? task.at)
  const versions = versionNumbers(db, trial._id).filter((number) => !lock || number <= lock.version)
  const until = newestEntry(db, trial._id, lock && { type: 'lockDatabase', createdAt: lock.createdAt })
  const participants = participantCount({ db, scopes: [] }, trial._id)
  const archivedParticipants = archivedCount(db, trial._id)
  await parts.sheet('participants.csv', participantTable(db, trial, access))
  if (hasDiaries(db, trial._id)) await parts.sheet('food-diary.csv', foodDiaryTable(from, { rows: 0 }))
  const officeFiles = await writeOffice(db, trial, { access, at: task.at }, parts)
  const review = reviewTables(db, trial._id, lock?.createdAt ?? task.at)
  for (const table of review.sheets) await parts.sheet(`review/${table.name}.csv`, table)
  return {
    trial,
    access,
    lock,
    configuration,
    from,
    count,
    stages,
    accountEntries,
    versions,
    until,
    ...{ participants, archivedParticipants },
    files: [...officeFiles, ...review.files],
    teamHead: headOf(db, trial.team),
  }
}

/** Writes all that is read from the database. Returns what the rest needs. */
async function writeTables(db: Db, task: StudyRecordTask, parts: Parts, progress: (text: string) => void) {
  progress('Writing the participants.')
  const first = await inLongStep(db, () => writeFirst(db, task, parts))
  const { trial, access, lock, configuration, from, count, accountEntries, versions, until } = first
  const { participants, archivedParticipants } = first

  progress('Writing the responses.')
  const free = uniqueHeaders()
  for (const { stage, table } of first.stages) {
    const name = free(safeFileName(stage.name))
    await parts.sheet(`data/${name}.csv`, sheetOf(table))
    await parts.text(`data/${name}.json`, jsonText({ ...withOwnChanges(from), stages: [stage] }, { rows: 0 }))
  }
  await parts.sheet('codebook.csv', codebook(from.configuration))
  const hardwareRecords = await writeHardware(from, parts)
  const boards = boardTable(db, trial._id, lock?.createdAt ?? task.at)
  await parts.sheet('site-messages.csv', boards.sheet)

  // These grow at their ends only.
  progress('Writing the messages.')
  const messages = { rows: 0, files: new Set<string>() }
  await parts.sheet('messages.csv', messageTable(db, lock?.createdAt ?? task.at, messages))
  progress('Writing the audit trail.')
  await parts.sheet('audit-trail.csv', trail(db, trial, access, until))
  await parts.text(CHAIN, chainText(db, trial, access, until))
  await parts.sheet('account-log.csv', accountTrail(db, trial, accountEntries))
  await parts.text('configuration-versions.json', versionsText(db, trial, versions))
  found(trialById(db, trial._id), 'trial') // else the end of the trail would be missing

  const filed = first.stages.flatMap(({ stage, hasFiles }) => (hasFiles ? [stage] : []))
  const held = [...messages.files, ...boards.files, ...first.files]
  const uploads = uploadsOf(from, filed, held)
  const counts = {
    ...{ stages: from.stages.length, dataTypes: from.configuration.dataTypes.size, participants, archivedParticipants },
    ...{
      responses: count.rows,
      hardwareRecords,
      messages: messages.rows,
      siteMessages: boards.count.rows,
      auditEntries: until,
    },
    ...{ accountEntries: accountEntries.length, configurationVersions: versions.length },
  }
  const { _id, team, createdAt } = trial
  const { name, code } = configuration.settings
  const about = { _id, team, createdAt: instantText(createdAt), name, code }
  const when = { [lock ? 'lockedAt' : 'requestedAt']: instantText(task.at) }
  const heads = [headAt(db, trial._id, until), ...(first.teamHead ? [first.teamHead] : [])]
  return { uploads, counts, study: { trial: about, ...when, heads }, configuration }
}

type Read = Awaited<ReturnType<typeof writeTables>>

/** Writes the description of the record, which is last as it says what is amiss. */
async function writeRest({ counts: read, study, configuration }: Read, { files, amiss }: Added, parts: Parts) {
  const counts: StudyRecord['counts'] = { ...read, files }
  await parts.text('study.json', [JSON.stringify({ format: 2, ...study, counts, amiss, configuration }, null, 2)])
  return { counts, amiss }
}

/** What an export needs, with the configuration of the record. */
function exportContextWith(
  db: Db,
  { trial, access }: StudyRecordTask,
  { dataTypes, stages, anchors }: Snapshot,
): ExportContext {
  // The stored form: moments in it are text, but nothing here reads them.
  const compiled = compile(dataTypes as DataTypeRow[], stages as StageRow[], anchors as AnchorRow[])
  return exportContextOf(
    db,
    { trial, stage: null, needs: ['readParticipantStudyData', 'exportData'], access },
    { as: compiled, isStepwise: true },
  )
}

const participantTable = (db: Db, { _id }: Trial, access: Access) =>
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

function* versionsText(db: Db, { _id }: Trial, numbers: readonly number[]): Generator<string> {
  yield '{"versions":['
  for (const [at, number] of numbers.entries()) {
    const version = found(versionAt(db, _id, number), 'trial') // versions go only with their trial
    yield `${at ? ',' : ''}\n${JSON.stringify({ ...version, createdAt: instantText(version.createdAt) })}`
  }
  yield '\n]}'
}
