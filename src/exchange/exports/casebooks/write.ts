/** Writes the casebooks of an export: a PDF for each participant, in a signed zip with a README. */
import { closeSync, openSync, readSync, rmSync } from 'node:fs'
import type { Db } from '#db/open'
import { trialById } from '#design/trials/store'
import { openParts } from '#exchange/archives/parts'
import { uniqueHeaders } from '#exchange/exports/columns'
import { type ExportContext, exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import type { WriteOptions } from '#exchange/exports/options'
import { type PackageAbout, packageReadme } from '#exchange/exports/packages/readme'
import { dropParticipants, hasMoreThan, inLongStep } from '#exchange/exports/store'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import { found } from '#kernel/problem'
import { serviceVersion } from '#kernel/version'
import { safeFileName } from '#storage/names'
import { growthOf, replaceFile, writeNew } from '#writers/file'
import type { Casebook } from './model'
import { casebookPdf } from './pdf'
import { casebooks } from './read'
import { casebookText } from './text'

/** The link to more responses than this works before the casebooks are written: to draw a page takes some milliseconds. */
const SOON = 200

/** After so many casebooks garbage is collected: each has fonts of its own. */
const COLLECTED = 20

/** Where a casebook is in the temporary file. */
type Place = { participantId: string; start: number; length: number }

/**
 * All casebooks are read in one transaction, as marks, signatures and queries have no numbered history, to a temporary file; they are drawn
 * after it. Memory use does not grow with the participants but for a line of each.
 */
export function writeCasebooks(
  db: Db,
  task: ExportTask,
  path: string,
  { written, storageKey = '' }: WriteOptions,
): Promise<ExportResult> {
  const temporary = `${path}.casebooks`
  return writeNew(path, async (output): Promise<ExportResult> => {
    let rows = 0
    try {
      const { places, about, read, stages } = await inLongStep(db, async () => {
        const from = exportContextOf(db, task, { isStepwise: true })
        const expected = countOf(from, task)
        const told = hasMoreThan(db, SOON, task) ? written : undefined
        told?.({ rows: expected, bytes: 0 })
        const about = aboutOf(from, task)
        const { places, count } = keep(temporary, from, about, task)
        rows = count
        const read = told && ((bytes: number) => told({ rows: expected, bytes }))
        return { places, about, read, stages: from.stages.length }
      })
      const tell = growthOf(output, read)
      const parts = openParts(output, storageKey)
      const hashes = new Map<string, string>()
      const free = uniqueHeaders()
      // A participant of this name must not take the place of README.txt.
      free('README')
      for (const [at, book] of stored(temporary, places)) {
        const name = free(safeFileName(book.participantId))
        const drawn = `${path}.page`
        try {
          const { pdf, isWhole } = await casebookPdf(book.casebook)
          replaceFile(drawn, (file) => file.write(pdf))
          hashes.set(`${name}.pdf`, await parts.packed(`${name}.pdf`, drawn))
          if (!isWhole) hashes.set(`${name}.txt`, await parts.text(`${name}.txt`, [casebookText(book.casebook)]))
        } finally {
          rmSync(drawn, { force: true })
        }
        tell()
        if (at % COLLECTED === COLLECTED - 1) Bun.gc(true)
      }
      await parts.text('README.txt', [readmeOf(about, hashes)])
      parts.end()
      return { rows, bytes: output.size(), stages }
    } finally {
      rmSync(temporary, { force: true })
      dropParticipants(db)
    }
  })
}

/** The number of responses of participants. */
const countOf = (from: ExportContext, { filters }: ExportTask) =>
  countKept({ ...from, flags: from.flags ?? { mask: 0, bits: 0 } }, filters)

function aboutOf({ db, trial }: ExportContext, task: ExportTask): PackageAbout {
  const { _id, name, code } = found(trialById(db, trial), 'trial')
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  return { study: { _id, name, code }, at, email, version: serviceVersion, asked }
}

/** Writes what the casebooks say to a file. */
function keep(path: string, from: ExportContext, about: PackageAbout, { filters = {}, history }: ExportTask) {
  const { stages, from: first, before, status } = filters
  const isFiltered = [stages, first, before, status].some((each) => each !== undefined)
  const places: Place[] = []
  let count = 0
  replaceFile(path, (output) => {
    for (const { participantId, rows, book } of casebooks(from, about, { withHistory: history ?? false, isFiltered })) {
      const bytes = Buffer.from(JSON.stringify(book))
      places.push({ participantId, start: output.size(), length: bytes.length })
      output.write(bytes)
      count += rows
    }
  })
  return { places, count }
}

function* stored(
  path: string,
  places: readonly Place[],
): Generator<[at: number, book: { participantId: string; casebook: Casebook }]> {
  const file = openSync(path, 'r')
  try {
    for (const [at, { participantId, start, length }] of places.entries()) {
      const bytes = Buffer.alloc(length)
      readSync(file, bytes, 0, length, start)
      yield [at, { participantId, casebook: JSON.parse(bytes.toString()) as Casebook }]
    }
  } finally {
    closeSync(file)
  }
}

const readmeOf = (about: PackageAbout, hashes: ReadonlyMap<string, string>): string =>
  packageReadme(about, {
    title: 'casebooks',
    howTo: [
      'Each PDF is the casebook of one participant; its bookmarks lead to the responses.',
      'Where the fonts of a PDF lack characters, the file of the same name that ends in .txt has all of its text (UTF-8).',
    ],
    files: hashes.size ? hashes.keys() : ['No participant.'],
    hashes,
  })
