/** Writes the casebooks of an export: a PDF for each participant, in a signed zip with a README. */
import type { Db } from '#db/open'
import { inLongReadTransaction } from '#db/readTransaction'
import { trialById } from '#design/trials/store'
import { openSignedArchive } from '#documents/archives/writer'
import { type ExportContext, exportContextOf } from '#exchange/exports/context'
import { countKept } from '#exchange/exports/countStore'
import type { WriteOptions } from '#exchange/exports/options'
import { type PackageDescription, packageReadme } from '#exchange/exports/packages/readme'
import { dropParticipants, hasMoreThan } from '#exchange/exports/store'
import type { ExportResult, ExportTask } from '#exchange/exports/task'
import { found } from '#kernel/problem'
import { serviceVersion } from '#kernel/version'
import { growthReporter, type Output, writeNew } from '#writers/file'
import { type Spool, withSpool } from '#writers/spool'
import { CASEBOOK_COLUMNS, drawCasebooks, spoolCasebooks } from './spool'

/** The link to more responses than this works before the casebooks are written: to draw a page takes some milliseconds. */
const SOON = 200

/**
 * All casebooks are read in one transaction, as marks, signatures and queries have no numbered history, to a temporary file; they are drawn
 * after it. Memory use does not grow with the participants but for a line of each.
 */
export function writeCasebooks(db: Db, task: ExportTask, path: string, options: WriteOptions): Promise<ExportResult> {
  return writeNew(path, (output) =>
    withSpool(path, CASEBOOK_COLUMNS, async (spool) => {
      try {
        return await write(db, task, { output, spool }, options)
      } finally {
        dropParticipants(db)
      }
    }),
  )
}

async function write(
  db: Db,
  task: ExportTask,
  { output, spool }: { output: Output; spool: Spool },
  { onProgress, storageKey = '' }: WriteOptions,
): Promise<ExportResult> {
  const { rows, about, onGrowth, stages } = await inLongReadTransaction(db, async () => {
    const from = exportContextOf(db, task, { isStepwise: true })
    const expected = countOf(from, task)
    const reportProgress = hasMoreThan(db, SOON, task) ? onProgress : undefined
    reportProgress?.({ rows: expected, bytes: 0 })
    const about = aboutOf(from, task)
    const rows = spoolCasebooks(spool, from, about, scopeOf(task))
    return {
      rows,
      about,
      onGrowth: reportProgress && ((bytes: number) => reportProgress({ rows: expected, bytes })),
      stages: from.stages.length,
    }
  })
  const reportGrowth = growthReporter(output, onGrowth)
  const parts = openSignedArchive(output, storageKey)
  const hashes = new Map<string, string>()
  await drawCasebooks(spool, (name, pdf) => {
    hashes.set(name, parts.bytes(name, pdf))
    reportGrowth()
  })
  await parts.text('README.txt', [readmeOf(about, hashes)])
  parts.end()
  return { rows, bytes: output.size(), stages }
}

/** The number of responses of participants. */
const countOf = (from: ExportContext, { filters }: ExportTask) =>
  countKept({ ...from, flags: from.flags ?? { mask: 0, bits: 0 } }, filters)

function aboutOf({ db, trial }: ExportContext, task: ExportTask): PackageDescription {
  const { _id, name, code } = found(trialById(db, trial), 'trial')
  const { at = 0, email = '', asked = {} } = task.about ?? {}
  return { study: { _id, name, code }, at, email, version: serviceVersion, asked }
}

function scopeOf({ filters = {}, history = false }: ExportTask) {
  const { stages, from, before, status } = filters
  return { withHistory: history, isFiltered: [stages, from, before, status].some((each) => each !== undefined) }
}

const readmeOf = (about: PackageDescription, hashes: ReadonlyMap<string, string>): string =>
  packageReadme(about, {
    title: 'casebooks',
    howTo: [
      'Each PDF is the casebook of one participant; its bookmarks lead to the responses.',
      'Where the fonts of a PDF lack characters, the file of the same name that ends in .txt has all of its text (UTF-8).',
    ],
    files: hashes.size ? hashes.keys() : ['No participant.'],
    hashes,
  })
