/** Writes the ODM file of an export, in a signed zip with a README. */
import { rmSync } from 'node:fs'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { users } from '#db/tables/index'
import { trialById } from '#design/trials/store'
import { openParts } from '#exchange/archives/parts'
import { exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import type { WriteOptions } from '#exchange/exports/options'
import { type PackageAbout, packageReadme } from '#exchange/exports/packages/readme'
import { dropParticipants, hasMoreThan, inLongStep } from '#exchange/exports/store'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import { found } from '#kernel/problem'
import { instantText } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { growthOf, type Output, readPieces, replaceFile, utf8, writeNew } from '#writers/file'
import { xmlStart } from '#writers/xml'
import { formsOf } from './forms'
import { STUDY, studyElement, VERSION } from './metadata'
import { adminData } from './people'
import { subjects } from './subject'

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
  { written, storageKey = '' }: WriteOptions,
): Promise<ExportResult> {
  const [data, whole] = [`${path}.data`, `${path}.odm`]
  return writeNew(path, async (output): Promise<ExportResult> => {
    try {
      const read = await inLongStep(db, async () => readAll(db, task, data, whole, written))
      const tell = growthOf(output, read.told)
      const parts = openParts(output, storageKey)
      const hashes = new Map([[FILE, await parts.packed(FILE, whole)]])
      tell()
      await parts.text('README.txt', [readmeOf(read.about, hashes, read.respelled, read.rows)])
      parts.end()
      return { rows: read.rows, bytes: output.size(), stages: read.stages }
    } finally {
      for (const each of [data, whole]) rmSync(each, { force: true })
      dropParticipants(db)
    }
  })
}

function readAll(db: Db, task: ExportTask, data: string, whole: string, written: WriteOptions['written']) {
  const from = exportContextOf(db, task, { isStepwise: true })
  const expected = countKept({ ...from, flags: from.flags ?? { mask: 0, bits: 0 } }, task.filters)
  const told =
    written && hasMoreThan(db, SOON, task) ? (bytes: number) => written({ rows: expected, bytes }) : undefined
  told?.(0)
  const trial = found(trialById(db, from.trial), 'trial')
  const { _id, name, code } = trial
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  const about: PackageAbout = { study: { _id, name, code }, at, email, version: serviceVersion, asked }
  const forms = formsOf(from)
  const admin = adminData(
    (user) => rowById(db, users, user),
    (site) => from.placeNames.get(site) ?? site,
  )
  const respelled = new Set<string>()
  const reader = {
    from,
    forms: new Map(forms.map((form) => [form.stage._id, form])),
    admin,
    respelled: (field: string) => void respelled.add(field),
  }
  const { stages, from: first, before, status } = task.filters ?? {}
  const isFiltered = [stages, first, before, status].some((each) => each !== undefined)
  let rows = 0
  let count = 0
  replaceFile(data, (file) => {
    const put = writerTo(file)
    for (const subject of subjects(reader, isFiltered)) {
      rows += subject.rows
      put(subject.element)
      if (++count % COLLECTED === 0) Bun.gc(true)
    }
  })
  replaceFile(whole, (file) => {
    const put = writerTo(file)
    put('<?xml version="1.0" encoding="UTF-8"?>\n')
    put(
      `${xmlStart('ODM', {
        xmlns: 'http://www.cdisc.org/ns/odm/v1.3',
        ODMVersion: '1.3.2',
        FileType: 'Snapshot',
        FileOID: `ODM.${_id}.${at}`,
        CreationDateTime: instantText(at),
        AsOfDateTime: instantText(at),
        SourceSystem: 'Trialbox',
        SourceSystemVersion: serviceVersion,
        Description: 'What the reader may not see is left out, and so are archived participants.',
      })}\n`,
    )
    for (const piece of studyElement(from, forms, { ...trial, description: trial.description ?? '' })) put(piece)
    for (const piece of admin.elements(STUDY(_id), VERSION(_id), at)) put(piece)
    put(`${xmlStart('ClinicalData', { StudyOID: STUDY(_id), MetaDataVersionOID: VERSION(_id) })}\n`)
    for (const bytes of readPieces(data)) file.write(bytes)
    put('</ClinicalData>\n</ODM>\n')
  })
  return { about, told, rows, stages: from.stages.length, respelled }
}

function writerTo(output: Output): (text: string) => void {
  const encode = utf8()
  return (text) => output.write(encode(text))
}

const readmeOf = (
  about: PackageAbout,
  hashes: ReadonlyMap<string, string>,
  respelled: ReadonlySet<string>,
  rows: number,
): string =>
  packageReadme(about, {
    title: 'CDISC ODM 1.3.2',
    howTo: [
      'odm.xml has the metadata and the data: a snapshot with an audit record of the newest value of each answer.',
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
