/** Reads an uploaded list (docs/randomisation.md, "An uploaded list"). */
import { type Reason, reason } from '#kernel/refusals/reason'
import type { NamedLevel } from './levels'
import { stratumOf } from './lists'

export type UploadedList = { stratum: string; arms: number[] }

/** The maximum number of problems in one refusal. */
const MAX_PROBLEMS = 20

type CsvLine = { number: number; cells: string[] }

/**
 * The lines of a csv, each with its number, which counts line breaks in quoted cells too. The separator is a comma, or a semicolon
 * if the first line has more of those. Empty lines are left out.
 */
export function linesOf(csv: string): CsvLine[] {
  const text = csv.replace(/^\uFEFF/, '')
  const first = text.slice(0, text.search(/\r|\n|$/))
  const separator = first.split(';').length > first.split(',').length ? ';' : ','
  const lines: CsvLine[] = []
  let line: CsvLine = { number: 1, cells: [] }
  let number = 1
  const cell = new RegExp(
    `"((?:[^"]|"")*)"[ \\t]*(${separator}|\\r\\n|\\r|\\n|$)|([^${separator}\\r\\n]*)(${separator}|\\r\\n|\\r|\\n|$)`,
    'y',
  )
  for (let match = cell.exec(text); match; match = cell.exec(text)) {
    const [whole, quoted, quotedEnd, plain = '', plainEnd] = match
    line.cells.push((quoted === undefined ? plain : quoted.replaceAll('""', '"')).trim())
    number += whole.match(/\r\n|\r|\n/g)?.length ?? 0
    const end = quotedEnd ?? plainEnd
    if (end === separator) continue
    if (line.cells.some((each) => each !== '')) lines.push(line)
    line = { number, cells: [] }
    if (cell.lastIndex >= text.length) break
  }
  return lines
}

/** The places of the columns in the first line, and its problems. */
function columnsOf(header: readonly string[], names: readonly string[]): { places: number[]; problems: Reason[] } {
  const own = header.map((cell) => cell.toLowerCase())
  const places = names.map((name) => own.indexOf(name.toLowerCase()))
  const missing = names.filter((_, index) => places[index] === -1)
  const unknown = header.filter((cell) => !names.some((name) => name.toLowerCase() === cell.toLowerCase()))
  const repeated = header.filter((_, index) => own.indexOf(own[index]!) < index)
  return {
    places,
    problems: [
      ...missing.map((name) => reason('listColumnMissing', { line: 1, column: name })),
      ...unknown.map((name) => reason('listColumnUnknown', { line: 1, column: name, columns: names })),
      ...repeated.map((name) => reason('listColumnTwice', { line: 1, column: name })),
    ],
  }
}

/** The levels of a factor by what a cell may have for them: several where two sites or groups have one name. */
function levelsByName(levels: readonly NamedLevel[]): Map<string, readonly string[]> {
  const named = levels.flatMap(({ level, names }) => [...new Set(names)].map((name) => ({ name, level })))
  const byName = Map.groupBy(named, ({ name }) => name)
  // An `_id` means its own level, whatever others are called.
  return new Map(
    [...byName].map(([name, own]) => [
      name,
      own.some(({ level }) => level === name) ? [name] : own.map(({ level }) => level),
    ]),
  )
}

/**
 * Reads a list. Its lines are allocations; those of one stratum are used in their order.
 * @param levels of the factors in their order
 * @returns the lists by stratum, or the problems, each with the number of its line
 */
export function readList(
  csv: string,
  arms: readonly { name: string }[],
  factors: readonly { name: string }[],
  levels: readonly (readonly NamedLevel[])[],
): { lists: UploadedList[]; problems?: undefined } | { problems: Reason[] } {
  const [header, ...lines] = linesOf(csv)
  if (!header) return { problems: [reason('listEmpty')] }
  const { places, problems } = columnsOf(header.cells, ['arm', ...factors.map(({ name }) => name)])
  if (problems.length) return { problems: problems.slice(0, MAX_PROBLEMS) }
  if (!lines.length) return { problems: [reason('listWithoutAllocation')] }
  const byName = new Map(arms.map(({ name }, index) => [name.toLowerCase(), index]))
  const byLevel = levels.map(levelsByName)
  const lists = new Map<string, number[]>()
  for (const { number: line, cells } of lines) {
    if (problems.length >= MAX_PROBLEMS) break
    if (cells.length !== header.cells.length) {
      problems.push(reason('listCells', { line, count: cells.length, columns: header.cells.length }))
      continue
    }
    const [name, ...own] = places.map((place) => cells[place]!)
    const arm = byName.get(name!.toLowerCase())
    if (arm === undefined) problems.push(reason('listArm', { line, arm: name! }))
    const stratum = own.map((cell, index) => byLevel[index]!.get(cell) ?? [])
    for (const [index, { length }] of stratum.entries()) {
      const about = { line, level: own[index]!, factor: factors[index]!.name }
      if (!length) problems.push(reason('listLevel', about))
      if (length > 1) problems.push(reason('listLevels', { ...about, levels: length }))
    }
    if (problems.length) continue
    const key = stratumOf(stratum.flat())
    const list = lists.get(key)
    if (list) list.push(arm!)
    else lists.set(key, [arm!])
  }
  if (problems.length) return { problems: problems.slice(0, MAX_PROBLEMS) }
  return { lists: [...lists].map(([stratum, arms]) => ({ stratum, arms })) }
}
