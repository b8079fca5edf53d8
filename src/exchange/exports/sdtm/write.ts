/** Writes an export in the shape of CDISC SDTM: transport files, csv and a define.xml, in a signed zip with a README. See docs/sdtm.md. */
import { rmSync } from 'node:fs'
import { unpackAccess } from '#access/packedAccess'
import type { Db } from '#db/open'
import { inLongReadTransaction } from '#db/readTransaction'
import { loadQuestionnaires } from '#design/questionnaires/library'
import { trialById } from '#design/trials/store'
import { type ArchiveWriter, openSignedArchive } from '#documents/archives/writer'
import { exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import type { WriteOptions } from '#exchange/exports/options'
import { codebookPage } from '#exchange/exports/packages/codebookPage'
import { type PackageDescription, packageReadme } from '#exchange/exports/packages/readme'
import { dropParticipants, hasMoreThan } from '#exchange/exports/store'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import { found } from '#kernel/problem'
import { serviceVersion } from '#kernel/version'
import { growthReporter, writeNew } from '#writers/file'
import { writeTransport5 } from '#writers/xpt/transport5'
import { defineXml, fileOf, tableLabel } from './define'
import { definedLists } from './defineLists'
import { readStudy, type StudyData } from './read'
import { codebookOf, howTo, notesOf } from './readme'
import { exportedVariables, type SdtmTable, withTables } from './tables'

/** The link to more responses than this works before the export is written. */
const SOON = 1_000

/**
 * Everything is read in one transaction, because participants and allocations have no numbered history, to temporary files: memory use does
 * not grow with the participants. The zip is written after it.
 */
export function writeSdtm(
  db: Db,
  task: ExportTask,
  path: string,
  { onProgress, storageKey = '' }: WriteOptions,
): Promise<ExportResult> {
  return writeNew(path, (output) =>
    withTables(`${path}.sdtm`, async (tables, add): Promise<ExportResult> => {
      try {
        const library = await loadQuestionnaires()
        const {
          about,
          read,
          rows,
          grown: onGrowth,
          stages,
        } = await inLongReadTransaction(db, async () => {
          const from = exportContextOf(db, task, { isStepwise: true })
          const rows = countKept({ ...from, flags: from.flags ?? { mask: 0, bits: 0 } }, task.filters)
          const reportProgress = hasMoreThan(db, SOON, task) ? onProgress : undefined
          reportProgress?.({ rows, bytes: 0 })
          const onGrowth = reportProgress && ((bytes: number) => reportProgress({ rows, bytes }))
          const read = readStudy(from, library, unpackAccess(task.access), add)
          return { about: aboutOf(db, task), read, rows, grown: onGrowth, stages: from.stages.length }
        })
        const reportGrowth = growthReporter(output, onGrowth)
        const parts = openSignedArchive(output, storageKey)
        await addParts(path, parts, tables, about, read, reportGrowth)
        parts.end()
        return { rows, bytes: output.size(), stages }
      } finally {
        dropParticipants(db)
      }
    }),
  )
}

function aboutOf(db: Db, task: ExportTask): PackageDescription {
  const { _id, name, code } = found(trialById(db, task.trial), 'trial')
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  return { study: { _id, name, code }, at, email, version: serviceVersion, asked }
}

async function addParts(
  path: string,
  parts: ArchiveWriter,
  tables: readonly SdtmTable[],
  about: PackageDescription,
  read: StudyData,
  reportGrowth: () => boolean,
): Promise<void> {
  const hashes = new Map<string, string>()
  const filled = tables.filter((table) => table.name === 'DM' || table.count() > 0)
  for (const table of filled) {
    await addTable(`${path}.table`, parts, table, about, hashes)
    reportGrowth()
  }
  const lists = definedLists(read.plan.questions, read.arms.shown)
  const questions = new Map(read.plan.questions.map(({ test, question }) => [test, question]))
  hashes.set('define.xml', await parts.text('define.xml', defineXml({ ...about, lists, questions }, filled)))
  const codebook = codebookPage(about.study.name, codebookOf(filled, lists))
  hashes.set('codebook.html', await parts.text('codebook.html', codebook))
  const files = filled.map((table) => `${fileOf(table)}: ${tableLabel(table)}, ${table.count()} records`)
  const readme = packageReadme(about, {
    title: 'CDISC SDTM, a starting point',
    howTo,
    files,
    hashes,
    notes: notesOf(read),
  })
  await parts.text('README.txt', [readme])
}

async function addTable(
  temporary: string,
  parts: ArchiveWriter,
  table: SdtmTable,
  { at }: PackageDescription,
  hashes: Map<string, string>,
): Promise<void> {
  const exported = exportedVariables(table)
  const variables = exported.map(({ variable: { name, label, isText }, found: { width } }) => ({
    ...{ name, label, isText },
    width: isText ? width : 8,
  }))
  function* rows() {
    for (const row of table.rows()) yield exported.map(({ at }) => row[at] ?? null)
  }
  const { name } = table
  try {
    await writeTransport5(temporary, { name, label: tableLabel(table), variables, rows: rows() }, at)
    hashes.set(fileOf(table), await parts.packed(fileOf(table), temporary))
  } finally {
    rmSync(temporary, { force: true })
  }
  const csv = `csv/${name.toLowerCase()}.csv`
  const columns = variables.map(({ name }) => ({ header: name }))
  hashes.set(csv, await parts.sheet(csv, { name, columns, rows: rows() }))
}
