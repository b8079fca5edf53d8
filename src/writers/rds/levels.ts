/** The levels of factors: the options of a variable, and answers that are not an option any more, because it was removed. */
import type { FilledCell } from '#writers/cellNumber'
import { textOf } from '#writers/cellNumber'
import type { Column } from '#writers/columns'
import { type Cells, countCell, noCells } from '#writers/noteList'
import type { Spool } from '#writers/spool'

export type Levels = {
  /** The levels, all different. */
  texts: readonly string[]
  /** The code of each level. */
  codes: readonly (string | number)[]
  /** Levels that are not just the label, because another option has the same one. */
  renamed: readonly string[]
  /** Answers that are no option. */
  unlistedAnswers: Cells
  /** The number of the level of a cell, from 1. */
  indexOf(cell: FilledCell): number | undefined
}

/** With more other answers than this, a variable is no list of options. */
const MOST_STRAYS = 1_000

/** What a level of a cell is found by. */
const keyOf = (column: Column, cell: FilledCell): string | number | undefined =>
  column.kind === 'text' ? textOf(cell) : column.number(cell)

/**
 * The levels of each column that becomes a factor. A scale of numbers does not, even if some of its points have labels; nor does a
 * variable of which only the codes for “no answer” are known, such as a list of several codes, nor one with more than 1,000 other answers.
 */
export function levelsOf(columns: readonly Column[], spool: Spool): (Levels | undefined)[] {
  const found = columns.map((column) => {
    const isClosed = column.values.some(({ isMissing }) => !isMissing) && column.variable.measure !== 'scale'
    return isClosed
      ? { known: new Map(column.values.map(({ value }, at) => [value, at + 1])), unlistedAnswers: noCells() }
      : undefined
  })
  const places = found.flatMap((each, at) => (each ? [{ ...each, at }] : []))
  let number = 0
  for (const row of places.length ? spool.rows() : []) {
    number += 1
    for (const { at, known, unlistedAnswers } of places) {
      const cell = row[at]
      const column = columns[at]!
      if (cell === null || cell === undefined) continue
      const key = keyOf(column, cell)
      const index = key === undefined ? undefined : known.get(key)
      if (index !== undefined && index <= column.values.length) continue
      countCell(unlistedAnswers, number)
      if (key !== undefined && index === undefined && known.size <= column.values.length + MOST_STRAYS)
        known.set(key, known.size + 1)
    }
  }
  return columns.map((column, at) => {
    const each = found[at]
    return each && each.known.size <= column.values.length + MOST_STRAYS
      ? nameLevels(column, each.known, each.unlistedAnswers)
      : undefined
  })
}

/** Gives the levels their texts: the labels, with the code behind it where two would be the same. */
function nameLevels(column: Column, known: ReadonlyMap<string | number, number>, unlistedAnswers: Cells): Levels {
  const codes = [...known.keys()]
  const labels = codes.map((code, at) => column.values[at]?.label || textOf(code))
  const counts = new Map<string, number>()
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1)
  const used = new Set<string>()
  const texts = labels.map((label, at) => {
    let text = counts.get(label) === 1 ? label : `${label} (${textOf(codes[at]!)})`
    while (used.has(text) || (text !== label && counts.has(text))) text += ' '
    used.add(text)
    return text
  })
  return {
    texts,
    codes,
    renamed: texts.slice(0, column.values.length).filter((text, at) => text !== labels[at]),
    unlistedAnswers,
    indexOf(cell) {
      const key = keyOf(column, cell)
      return key === undefined ? undefined : known.get(key)
    },
  }
}
