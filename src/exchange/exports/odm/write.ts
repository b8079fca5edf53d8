/** Writes the ODM file of an export, in a signed zip with a README. */
import { rmSync } from 'node:fs'
import type { Db } from '#db/open'
import { inLongReadTransaction } from '#db/readTransaction'
import { trialById } from '#design/trials/store'
import { openSignedArchive } from '#documents/archives/writer'
import { exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import type { WriteOptions } from '#exchange/exports/options'
import { type PackageDescription, packageReadme } from '#exchange/exports/packages/readme'
import { dropParticipants, hasMoreThan } from '#exchange/exports/store'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import { found } from '#kernel/problem'
import { serviceVersion } from '#kernel/version'
import { growthReporter, type Output, readPieces, replaceFile, utf8, writeNew } from '#writers/file'
import { documentEnd, documentStart } from './document'
import { editionOf } from './edition'
import { formsOf } from './forms'
import { adminOf, languagesOf } from './read'
import { type SubjectReader, subjectElement, subjectsOf } from './subject'

/** The link to more responses than this works before the file is written. */
const SOON = 2000

/** After so many participants garbage is collected. */
const COLLECTED = 500

/** The name of the ODM file in the zip. */
const FILE = 'odm.xml'

/**
 * The data is read in one transaction, as signatures and queries have no numbered history. It is written to a temporary file first, since
 * AdminData, which is in front of it, has the users and sites that it names. Memory use does not grow with the responses.
 */
export function writeOdm(
  db: Db,
  task: ExportTask,
  path: string,
  { onProgress, storageKey = '' }: WriteOptions,
): Promise<ExportResult> {
  const [data, whole] = [`${path}.data`, `${path}.odm`]
  return writeNew(path, async (output): Promise<ExportResult> => {
    try {
      const read = await inLongReadTransaction(db, async () => readData(db, task, data, whole, onProgress))
      const reportGrowth = growthReporter(output, read.reportSize)
      const parts = openSignedArchive(output, storageKey)
      const hashes = new Map([[FILE, await parts.packed(FILE, whole)]])
      reportGrowth()
      await parts.text('README.txt', [readmeOf(read, hashes)])
      parts.end()
      return { rows: read.rows, bytes: output.size(), stages: read.stages }
    } finally {
      for (const each of [data, whole]) rmSync(each, { force: true })
      dropParticipants(db)
    }
  })
}

type OdmData = ReturnType<typeof readData>

function readData(db: Db, task: ExportTask, data: string, whole: string, onProgress: WriteOptions['onProgress']) {
  const from = exportContextOf(db, task, { isStepwise: true })
  const expected = countKept({ ...from, flags: from.flags ?? { mask: 0, bits: 0 } }, task.filters)
  const reportSize =
    onProgress && hasMoreThan(db, SOON, task) ? (bytes: number) => onProgress({ rows: expected, bytes }) : undefined
  reportSize?.(0)
  const trial = found(trialById(db, from.trial), 'trial')
  const { _id, name, code } = trial
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  const about: PackageDescription = { study: { _id, name, code }, at, email, version: serviceVersion, asked }
  const forms = formsOf(from)
  const edition = editionOf(task.odmVersion ?? '1.3.2', languagesOf(trial))
  const admin = adminOf(from, edition)
  const replacedCodes = new Set<string>()
  const withHistory = task.history === true
  const reader: SubjectReader = {
    ...{ from, edition, withHistory },
    forms: new Map(forms.map((form) => [form.stage._id, form])),
    adminOf: () => admin,
    onReplacedCharacters: (field) => void replacedCodes.add(field),
  }
  const { stages, from: first, before, status } = task.filters ?? {}
  const isFiltered = [stages, first, before, status].some((each) => each !== undefined)
  let rows = 0
  let count = 0
  replaceFile(data, (file) => {
    const put = writerTo(file)
    for (const subject of subjectsOf(reader, isFiltered)) {
      rows += subject.rows.length
      put(`${subjectElement(reader, subject)}\n`)
      if (++count % COLLECTED === 0) Bun.gc(true)
    }
  })
  replaceFile(whole, (file) => {
    const put = writerTo(file)
    for (const piece of documentStart({ from, forms, edition, study: trial, at, withHistory, admin })) put(piece)
    for (const bytes of readPieces(data)) file.write(bytes)
    put(documentEnd)
  })
  return {
    about,
    reportSize,
    rows,
    stages: from.stages.length,
    respelled: replacedCodes,
    version: edition.version,
    withHistory,
  }
}

function writerTo(output: Output): (text: string) => void {
  const encode = utf8()
  return (text) => output.write(encode(text))
}

const readmeOf = (
  { about, respelled, rows, version, withHistory }: OdmData,
  hashes: ReadonlyMap<string, string>,
): string =>
  packageReadme(about, {
    title: `CDISC ODM ${version}`,
    howTo: [
      withHistory
        ? 'odm.xml has the metadata and the whole history: each change as a transaction with its audit record.'
        : 'odm.xml has the metadata and the data: a snapshot with an audit record of the newest value of each answer.',
      'The elements that each kind of question becomes are on the page "ODM" of the manual.',
    ],
    files: [`${FILE}: ${rows} responses`],
    hashes,
    notes: [
      '',
      'WHAT XML COULD NOT HOLD AS IT IS',
      '',
      ...(respelled.size
        ? [
            `Control characters are U+FFFD in Value; an annotation has the value as a JSON string: ${[...respelled].join(', ')}`,
          ]
        : ['Nothing.']),
    ],
  })
