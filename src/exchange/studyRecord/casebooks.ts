/** The casebooks and the codebook of a study record, from what every export describes its columns and casebooks with. */

import type { StageRow } from '#design/stages/store'
import type { StudyRecordTask } from '#design/studyRecord/task'
import type { Trial } from '#design/trials/store'
import type { ArchiveWriter } from '#documents/archives/writer'
import { drawCasebooks, spoolCasebooks } from '#exchange/exports/casebooks/spool'
import type { ExportContext } from '#exchange/exports/context'
import { stageTable } from '#exchange/exports/datasets/tables'
import type { DatasetFile } from '#exchange/exports/packages/formats'
import { addCodebook } from '#exchange/exports/packages/write'
import { serviceVersion } from '#kernel/version'
import type { Spool } from '#writers/spool'

/** Reads the casebooks of all participants of the record, with the history of each answer. Call it in the transaction of its moment. */
export function spoolRecordCasebooks(
  spool: Spool,
  from: ExportContext,
  { _id, name, code }: Trial,
  { at, email = '' }: StudyRecordTask,
): void {
  const about = { study: { _id, name, code }, at, email, version: serviceVersion, asked: { type: 'study record' } }
  spoolCasebooks(spool, from, about, { withHistory: true, isFiltered: false })
}

/** Draws what was kept. @returns the number of casebooks */
export async function addCasebooks(
  spool: Spool,
  parts: ArchiveWriter,
  progress: (text: string) => void,
): Promise<number> {
  const all = spool.count()
  let drawnCount = 0
  await drawCasebooks(spool, (name, bytes) => {
    parts.bytes(`casebooks/${name}`, bytes)
    if (!name.endsWith('.pdf')) return
    if (drawnCount % 50 === 0) progress(`Drawing the casebooks: ${drawnCount} of ${all}.`)
    drawnCount += 1
  })
  return drawnCount
}

/** A table of responses in the record, and its rows. */
export type RecordTable = { stage: StageRow; file: string; rows: number }

/**
 * Adds codebook.html and codebook.xlsx: what each column of the tables of responses means, with the codes of all options.
 * @param path a name beside which a temporary file may be
 */
export function addRecordCodebook(
  path: string,
  parts: ArchiveWriter,
  from: ExportContext,
  { study, tables }: { study: { name: string }; tables: readonly RecordTable[] },
): Promise<void> {
  const form = { columns: 'expanded', values: 'codes', cells: 'text', tables: 'inline' } as const
  const packaged = tables.map(({ stage, file, rows }): DatasetFile => {
    const dataset = stageTable(from, stage, form, { rows: 0 })
    const names = dataset.variables.map(({ name }) => name)
    const notes = [
      { variable: '', text: 'In this file, answers to choices are the labels of the options, not their codes.' },
    ]
    return { dataset, file, result: { rows, names, notes } }
  })
  return addCodebook(path, parts, { study }, packaged, new Map())
}
