/** The inputs of the threads and processes that write and read files of packs: plain JSON. */
import { PackedAccess } from '#access/packedAccess'
import type { NumberedRow } from '#documents/numberedRow'
import { PackFilter } from '#office/packs/model'
import { id, maybe, oneOf, orNull, shape, text, type ValueOf, whole } from '#wire/schema'
import { MOST_CSV } from './model'

const target = {
  trial: id(),
  access: PackedAccess,
  /** The name of the file in the folder of exports. */
  file: text(1, 200),
}

/** Writes the list of packs as the JSON of `{csv}`. */
export const ListTask = shape({ ...target, filter: PackFilter })
export type ListTask = ValueOf<typeof ListTask>

/** Writes an accountability log: the JSON of `{csv}`, or a PDF. */
export const AccountTask = shape({
  ...target,
  site: maybe(orNull(id())),
  packType: maybe(id()),
  format: oneOf('csv', 'pdf'),
  /** When it was asked for, in microseconds. */
  at: whole(),
})
export type AccountTask = ValueOf<typeof AccountTask>

/** Reads a csv into rows of cells. */
export const ReadTask = shape({ csv: text(0, MOST_CSV) })
export type ReadTask = ValueOf<typeof ReadTask>

/** What it reports: the headers, and the next rows. */
export type CsvPart = { headers: string[]; rows: NumberedRow[] }
/** What it ends with: the headers, and the number of the rows, which it reported before. */
export type ReadResult = { headers: string[]; count: number }
