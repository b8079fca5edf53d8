/** What occurs in a column: programs for statistics want to know the widest value of each before the first row. */

import type { Instant } from '#kernel/time'
import type { Cell } from './cell'
import { numberIn, type Scale, textOf } from './cellNumber'
import type { Kind } from './dataset'
import { type Cells, countCell, noCells } from './noteList'

export type Tally = {
  /** Cells that are nothing of the kind of the variable: texts among numbers, a day that is not in the calendar. */
  misfits: Cells
  /** Numbers that the program cannot hold. */
  outOfRange: Cells
  /** Moments that a number of the program holds inexactly. */
  inexact: Cells
  /** Of the numbers in the scale of the program; `most` is below `least` if there is none. */
  least: number
  most: number
  isWhole: boolean
  /** The most digits after the point, at most 16. */
  fraction: number
  /** Of each of `TallyRule.ranges`, the numbers within it that are not among its codes. */
  unlistedNumbers: number[]
  /** Texts that are not empty, all their bytes in UTF-8, and those of the longest one. */
  texts: number
  bytes: number
  longest: number
  /** The bytes of the longest first, second… part of the texts: one number, unless a text is longer than a part. */
  widths: number[]
  empty: Cells
  trailingSpaces: Cells
  nuls: Cells
}

export type TallyRule = {
  scale: Scale
  /** The most bytes of a text in one variable. */
  partBytes: number
  ranges?: readonly Range[] | undefined
}

/** A range of numbers that are codes, as far as the list of values says. */
export type Range = { from: number; to: number; codes: ReadonlySet<number> }

export type Tallier = { tally: Tally; add(cell: Cell, row: number): void }

const emptyTally = (): Tally => ({
  misfits: noCells(),
  outOfRange: noCells(),
  inexact: noCells(),
  least: Number.POSITIVE_INFINITY,
  most: Number.NEGATIVE_INFINITY,
  isWhole: true,
  fraction: 0,
  unlistedNumbers: [],
  texts: 0,
  bytes: 0,
  longest: 0,
  widths: [0],
  empty: noCells(),
  trailingSpaces: noCells(),
  nuls: noCells(),
})

/** Returns what counts the cells of a column. */
export const tallyOf = (kind: Kind, rule: TallyRule): Tallier =>
  kind === 'text' ? textTally(rule) : numberTally(kind, rule)

function numberTally(kind: Exclude<Kind, 'text'>, { scale, ranges = [] }: TallyRule): Tallier {
  const tally = { ...emptyTally(), unlistedNumbers: ranges.map(() => 0) }
  const read = numberIn(kind)
  const count = (value: number) => {
    if (value < tally.least) tally.least = value
    if (value > tally.most) tally.most = value
    for (let at = 0; at < ranges.length; at++) {
      const { from, to, codes } = ranges[at]!
      if (value >= from && value <= to && !codes.has(value)) tally.unlistedNumbers[at]! += 1
    }
    if (Number.isInteger(value)) return
    tally.isWhole = false
    if (tally.fraction < MOST_FRACTION) tally.fraction = Math.max(tally.fraction, fractionOf(value))
  }
  return {
    tally,
    add(cell, row) {
      if (cell === null || cell === undefined) return
      const raw = read(cell)
      const value = raw === undefined ? undefined : scale[kind](raw)
      if (value !== undefined) {
        count(value)
        if (kind === 'moment' && !isExact(raw!, scale.instantOf(value))) countCell(tally.inexact, row)
      } else if (kind === 'number' && raw !== undefined) countCell(tally.outOfRange, row, raw)
      else countCell(tally.misfits, row)
    },
  }
}

const MILLISECOND = 1_000

/** Whether a moment is what a program reads: one of whole milliseconds, if the program rounds to them. */
const isExact = (at: Instant, read: Instant): boolean =>
  at % MILLISECOND === 0 ? Math.abs(read - at) < MILLISECOND / 2 : read === at

const MOST_FRACTION = 16

/** The digits after the point of a number as it is written in full. */
function fractionOf(value: number): number {
  const [, digits = '', exponent = '0'] = /^-?\d+(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(value)) ?? []
  return Math.min(Math.max(digits.length - Number(exponent), 0), MOST_FRACTION)
}

function textTally({ partBytes }: TallyRule): Tallier {
  const tally = emptyTally()
  return {
    tally,
    add(cell, row) {
      if (cell === null || cell === undefined) return
      const text = textOf(cell)
      if (text === '') return countCell(tally.empty, row)
      const bytes = Buffer.byteLength(text)
      tally.texts += 1
      tally.bytes += bytes
      if (bytes > tally.longest) tally.longest = bytes
      if (typeof cell === 'string' && text !== cell) countCell(tally.nuls, row)
      let endsWithSpace = text.endsWith(' ')
      if (bytes <= partBytes) {
        if (bytes > tally.widths[0]!) tally.widths[0] = bytes
      } else {
        const encoded = Buffer.from(text)
        for (const [part, { from, to }] of partsOf(encoded, partBytes).entries()) {
          tally.widths[part] = Math.max(tally.widths[part] ?? 0, to - from)
          endsWithSpace ||= encoded[to - 1] === SPACE
        }
      }
      if (endsWithSpace) countCell(tally.trailingSpaces, row)
    },
  }
}

const SPACE = 0x20

/**
 * The parts of a long text in UTF-8, none longer than `most` bytes: whole characters, and if possible a space is not the last one of a
 * part but the first of the next, because programs drop spaces at the end.
 */
export function partsOf(text: Uint8Array, most: number): { from: number; to: number }[] {
  const parts: { from: number; to: number }[] = []
  let from = 0
  while (text.length - from > most) {
    let end = from + most
    while ((text[end]! & 0xc0) === 0x80) end -= 1
    let to = end
    while (to > from && text[to - 1] === SPACE) to -= 1
    if (to === from) to = end
    parts.push({ from, to })
    from = to
  }
  parts.push({ from, to: text.length })
  return parts
}
