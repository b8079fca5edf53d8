import { join } from 'node:path'
import { scopeOf, visibleScopeOf } from '#access/caller'
import { unpackAccess } from '#access/packedAccess'
import { formById } from '#conduct/consents/store'
import type { Db } from '#db/open'
import { inLongReadTransaction } from '#db/readTransaction'
import { consentFormsOf } from '#design/consentForms/store'
import { placesIn } from '#exchange/exports/filters'
import type { WriteProgress } from '#jobs/fileWork'
import type { Work } from '#jobs/work'
import { instantText } from '#kernel/time'
import type { Sheet } from '#writers/cell'
import { csvChunks } from '#writers/csv'
import { writeTemporary } from '#writers/file'
import { writeXlsx } from '#writers/xlsx'
import { consentDatasets } from './model'
import { consentRecords, type Source, statusRecords } from './records'
import { sheetsOf } from './sheets'
import type { ConsentExportTask } from './task'

/** A file of more bytes is sent while it is written. */
const LARGE = 1 << 20

function sourceOf(db: Db, task: ConsentExportTask): Source {
  const { trial, form: _id, at: until } = task
  const access = unpackAccess(task.access)
  const own = [scopeOf(access, ['readTrialConsents']), scopeOf(access, ['exportData']), visibleScopeOf(access)]
  const scopes = [...own, ...placesIn(task)]
  const chosenForm = _id === undefined ? undefined : formById(db, _id)
  const forms = chosenForm ? [chosenForm] : consentFormsOf(db, trial).reverse()
  return { db, access, trial, form: _id, scopes, until, forms }
}

function* csvPieces(sheet: Sheet, escapeFormulas: boolean): Generator<string> {
  yield '{"csv":"'
  for (const chunk of csvChunks(sheet, { escapeFormulas })) yield JSON.stringify(chunk).slice(1, -1)
  yield '"}'
}

/** Fields of records that are moments, at any depth. */
const MOMENTS = new Set(['signedAt', 'joinedAt', 'verifiedAt', 'at', 'countersignedAt', 'withdrawnAt'])
const jsonOf = (record: object): string =>
  JSON.stringify(record, (field, value) =>
    MOMENTS.has(field) && typeof value === 'number' ? instantText(value) : value,
  )

function* jsonPieces(source: Source, count: { rows: number }): Generator<string> {
  yield '{"consents":['
  let separator = ''
  for (const record of consentRecords(source)) {
    count.rows++
    yield `${separator}${jsonOf(record)}`
    separator = ',\n'
  }
  yield '],"statuses":['
  separator = ''
  for (const record of statusRecords(source)) {
    yield `${separator}${jsonOf(record)}`
    separator = ',\n'
  }
  yield ']}'
}

/** Writes the consents of one moment. */
export const consentWork: Work<ConsentExportTask, WriteProgress> = (task, { db, setup, report }) =>
  inLongReadTransaction(db, async () => {
    const source = sourceOf(db, task)
    const path = join(setup.exports, task.file)
    const count = { rows: 0 }
    const onGrowth = (bytes: number) => bytes > LARGE && report({ rows: count.rows, bytes })
    const sheets = sheetsOf(source, count)
    if (task.type === 'excel') {
      const tables = consentDatasets.map((dataset) => sheets[dataset]())
      const { bytes } = await writeXlsx(path, tables, { onGrowth })
      return { rows: count.rows, bytes }
    }
    const pieces =
      task.type === 'json' ? jsonPieces(source, count) : csvPieces(sheets[task.dataset](), task.escape !== 'none')
    return { bytes: writeTemporary(path, pieces, onGrowth), rows: count.rows }
  })
