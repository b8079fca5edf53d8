/** The schema of a Parquet file, and cells as its values. */
import type { ParquetWriter } from 'hyparquet-writer'
import type { Cell } from '#writers/cell'
import { type Scale, textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import type { NameRule } from '#writers/names'

/** Any text is a name, but programs compare names whatever their case. */
export const PARQUET_NAMES: NameRule = {
  first: /[^\0\p{Cs}]/u,
  other: /[^\0\p{Cs}]/u,
  prefix: 'column',
  most: 10_000,
  unit: 'characters',
  reserved: new Set(),
}

const MILLISECONDS = 1_000

/** Days and microseconds since 1970, milliseconds since midnight. */
export const PARQUET_SCALE: Scale = {
  number: (value) => value,
  day: (days) => days,
  moment: (at) => at,
  time: (seconds) => seconds * MILLISECONDS,
  instantOf: (value) => value,
}

/** A column of the file: what the schema says of it, and what it has in place of a cell. */
export type Field = { element: ParquetWriter['schema'][number]; value(cell: Cell): Value }

export type Value = string | number | bigint | null

/** @param name that is valid and unique in the file */
export function fieldOf(column: Column, name: string): Field {
  const { number } = column
  const numbered = (cell: Cell): number | undefined => (cell === null || cell === undefined ? undefined : number(cell))
  const element = { name, repetition_type: 'OPTIONAL' } as const
  const plain = (cell: Cell): Value => numbered(cell) ?? null
  const wide = (cell: Cell): Value => {
    const value = numbered(cell)
    return value === undefined ? null : BigInt(value)
  }
  if (column.kind === 'text')
    return {
      element: { ...element, type: 'BYTE_ARRAY', converted_type: 'UTF8' },
      value: (cell) => (cell === null || cell === undefined ? null : textOf(cell)),
    }
  if (column.kind === 'day') return { element: { ...element, type: 'INT32', converted_type: 'DATE' }, value: plain }
  if (column.kind === 'time')
    return { element: { ...element, type: 'INT32', converted_type: 'TIME_MILLIS' }, value: plain }
  if (column.kind === 'moment')
    return {
      element: {
        ...element,
        type: 'INT64',
        logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MICROS' },
      },
      value: wide,
    }
  if (isWhole(column)) return { element: { ...element, type: 'INT64' }, value: wide }
  return { element: { ...element, type: 'DOUBLE' }, value: plain }
}

/** Whether a variable is of whole numbers, and has no others in fact. */
const isWhole = ({ variable, tally: { isWhole, least, most } }: Column): boolean =>
  variable.decimals === 0 && isWhole && least >= Number.MIN_SAFE_INTEGER && most <= Number.MAX_SAFE_INTEGER
