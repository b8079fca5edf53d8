/** Writes a study record: all data of a trial in one archive that can be read without Trialbox. */
import { mkdirSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { unpackAccess } from '#access/packedAccess'
import { headOf } from '#audit/store'
import type { Db } from '#db/open'
import { inLongReadTransaction } from '#db/readTransaction'
import { snapshotOf } from '#design/configurationVersions/snapshot'
import { versionAt, versionNumbers } from '#design/configurationVersions/store'
import { type Dataset, newestDataset } from '#design/studyRecord/store'
import type { StudyRecord, StudyRecordTask } from '#design/studyRecord/task'
import { formTranslations } from '#design/translations/files/table'
import { type Trial, trialById } from '#design/trials/store'
import { type ArchiveWriter, openSignedArchive } from '#documents/archives/writer'
import { CASEBOOK_COLUMNS } from '#exchange/exports/casebooks/spool'
import { uniqueHeaders } from '#exchange/exports/datasets/columns'
import { historyTable } from '#exchange/exports/datasets/history'
import { sheetOf, stageTable } from '#exchange/exports/datasets/tables'
import { foodDiaryTable } from '#exchange/exports/foodDiary'
import { hasDiaries } from '#exchange/exports/foodDiaryStore'
import { spoolStageFiles } from '#exchange/exports/odm/stageFiles'
import { withOwnChanges } from '#exchange/exports/pages'
import { countGone, dropParticipants, participantCount } from '#exchange/exports/store'
import { jsonText } from '#exchange/exports/work/json'
import type { WorkerSetup } from '#jobs/messages'
import { found, refuse } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { safeFileName, uploadPath } from '#storage/names'
import { type Blocks, withBlocks } from '#writers/blocks'
import { flushFolder, hashOfFile, replaceFileLater } from '#writers/file'
import { type Spool, withSpool } from '#writers/spool'
import { type AddedFiles, addFiles } from './addFiles'
import { boardTable } from './boards'
import { addCasebooks, addRecordCodebook, type RecordTable, spoolRecordCasebooks } from './casebooks'
import { CHAIN, chainText } from './chain'
import { conductTables } from './conductTables'
import { consentFormsText } from './consentForms'
import { consentsText } from './consents'
import { writeHardware } from './hardware'
import { writeOffice } from './office'
import { exportContextWith, participantTable, versionsText } from './read'
import { READS, readsEnd, readsTable, readsText } from './reads'
import { reviewTables } from './reviewTables'
import { accountEntryNumbers, archivedCount, headAt, newestEntry } from './store'
import { accountTrail, codebook, messageTable, trail } from './tables'
import { hasFiles, uploadsOf } from './uploads'

/** The folders of the service, and the secret that the key of records follows from. */
type Folders = Pick<WorkerSetup, 'exports' | 'files' | 'storageKey'>

/**
 * Writes the record of one state of the database, in constant memory. It is read in short transactions, as a large export is (see
 * `exports/pages.ts`). The record of a lock has the data types and stages as they were at the lock, and the audit trail up to it; if the
 * database is no longer as it was at the lock, the function throws. Nothing else may use the connection until it ends.
 */
export async function writeStudyRecord(
  db: Db,
  task: StudyRecordTask,
  places: Folders,
  progress: (text: string) => void,
): Promise<StudyRecord> {
  const path = join(places.exports, task.file)
  const contents = await replaceFileLater(path, (output) =>
    withSpool(path, CASEBOOK_COLUMNS, (spool) =>
      withBlocks(path, async (blocks) => {
        const parts = openSignedArchive(output, places.storageKey)
        try {
          const read = await writeTables(db, task, { parts, spool, blocks, path }, progress)
          progress('Adding the uploaded files.')
          const added = addFiles(read.uploads, places, parts)
          const record = await writeRest(read, added, parts)
          parts.end()
          return record
        } finally {
          dropParticipants(db)
        }
      }),
    ),
  )
  progress('Checking what was written.')
  const record = { ...contents, bytes: statSync(path).size, sha256: hashOfFile(path) }
  if (task.dataset !== null) moveToFiles(path, uploadPath(places.files, task.file))
  return record
}

/** What a record is written with: its parts, temporary files for casebooks and for ODM, and its path. */
type RecordOutput = { parts: ArchiveWriter; spool: Spool; blocks: Blocks; path: string }

const HISTORY = { columns: 'single', values: 'labels', cells: 'text', tables: 'inline' } as const

/** Moves a record into the folder of permanent files. */
function moveToFiles(from: string, to: string): void {
  mkdirSync(dirname(to), { recursive: true })
  renameSync(from, to)
  flushFolder(dirname(to))
}

/** The lock that a record belongs to. @throws if the database was unlocked since: its data may have changed */
function lockOf(db: Db, trial: Trial, dataset: StudyRecordTask['dataset']): Dataset | undefined {
  if (dataset === null) return undefined
  const newest = newestDataset(db, trial._id)
  if (trial.isDatabaseLocked && newest?._id === dataset) return newest
  throw refuse.bad('unlockedBeforeRecord')
}

/** Writes what is of the first moment and has no numbered history: participants, sites, packs, randomisations and the master file. Returns what the rest is read with. */
async function writeFirst(db: Db, task: StudyRecordTask, { parts, spool, blocks }: RecordOutput) {
  const trial = found(trialById(db, task.trial), 'trial')
  const access = unpackAccess(task.access)
  const lock = lockOf(db, trial, task.dataset)
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
  const conduct = conductTables(db, trial._id, lock?.createdAt ?? task.at)
  for (const table of conduct.sheets) await parts.sheet(`conduct/${table.name}.csv`, table)
  await parts.text('consent-forms.json', consentFormsText(db, trial._id))
  const consentFiles = new Set<string>()
  await parts.text('consents.json', consentsText(db, trial._id, lock?.createdAt ?? task.at, consentFiles))
  spoolRecordCasebooks(spool, withOwnChanges(from), trial, task)
  const odmOf = spoolStageFiles(blocks, withOwnChanges(from), trial, task.at)
  return {
    trial,
    access,
    lock,
    configuration,
    from,
    count,
    stages,
    odmOf,
    accountEntries,
    versions,
    until,
    ...{ participants, archivedParticipants },
    files: [...officeFiles, ...review.files, ...conduct.files, ...consentFiles],
    teamHead: headOf(db, trial.team),
    reads: readsEnd(db, trial._id),
  }
}

/** Writes all that is read from the database. Returns what the rest needs. */
async function writeTables(db: Db, task: StudyRecordTask, output: RecordOutput, progress: (text: string) => void) {
  const { parts, spool, path } = output
  progress('Writing the participants.')
  const first = await inLongReadTransaction(db, () => writeFirst(db, task, output))
  const { trial, access, lock, configuration, from, count, accountEntries, versions, until } = first
  const { participants, archivedParticipants } = first

  progress('Writing the responses.')
  const free = uniqueHeaders()
  const tables: RecordTable[] = []
  for (const { stage, table } of first.stages) {
    const name = free(safeFileName(stage.name))
    const before = count.rows
    await parts.sheet(`data/${name}.csv`, sheetOf(table))
    tables.push({ stage, file: `data/${name}.csv`, rows: count.rows - before })
    await parts.text(`data/${name}.json`, jsonText({ ...withOwnChanges(from), stages: [stage] }, { rows: 0 }))
    await parts.text(`data/${name}.xml`, first.odmOf(stage._id))
  }
  await parts.sheet('codebook.csv', codebook(from.configuration))
  const translations = formTranslations(from.configuration)
  if (translations) await parts.sheet('translations.csv', translations)
  const { _id, team, createdAt } = trial
  const { name, code } = configuration.settings
  await addRecordCodebook(path, parts, from, { study: { name: String(name) }, tables })
  await parts.sheet('data-history.csv', sheetOf(historyTable(withOwnChanges(from), HISTORY, { rows: 0 })))
  const casebooks = await addCasebooks(spool, parts, progress)
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
  if (first.reads) {
    await parts.sheet('reads.csv', readsTable(db, trial, first.reads.rows))
    await parts.text(READS, readsText(db, trial, first.reads.rows))
  }
  await parts.text('configuration-versions.json', versionsText(db, trial, versions))
  found(trialById(db, trial._id), 'trial') // else the end of the trail would be missing
  const gone = countGone(db)

  const filed = first.stages.flatMap(({ stage, hasFiles }) => (hasFiles ? [stage] : []))
  const held = [...messages.files, ...boards.files, ...first.files]
  const uploads = uploadsOf(from, filed, held)
  const counts = {
    ...{ stages: from.stages.length, dataTypes: from.configuration.dataTypes.size, participants, archivedParticipants },
    ...{
      responses: count.rows,
      casebooks,
      hardwareRecords,
      messages: messages.rows,
      siteMessages: boards.count.rows,
      auditEntries: until,
    },
    ...{ accountEntries: accountEntries.length, configurationVersions: versions.length },
  }
  const about = { _id, team, createdAt: instantText(createdAt), name, code }
  const when = { [lock ? 'lockedAt' : 'requestedAt']: instantText(task.at) }
  const heads = [headAt(db, trial._id, until), ...(first.teamHead ? [first.teamHead] : [])]
  return {
    uploads,
    amiss: gone ? [{ name: 'participants', problem: `${gone} deleted while this was written: parts lack them` }] : [],
    counts,
    study: { trial: about, ...when, heads, ...(first.reads && { reads: first.reads }) },
    configuration,
  }
}

type RecordTables = Awaited<ReturnType<typeof writeTables>>

/** Writes the description of the record, which is last as it says what is amiss. */
async function writeRest(
  { counts: read, study, configuration, amiss: ofRead }: RecordTables,
  added: AddedFiles,
  parts: ArchiveWriter,
) {
  const { files } = added
  const amiss = [...ofRead, ...added.amiss]
  const counts: StudyRecord['counts'] = { ...read, files }
  await parts.text('study.json', [JSON.stringify({ format: 2, ...study, counts, amiss, configuration }, null, 2)])
  return { counts, amiss }
}
