/** Rows of large csv files, and items of large JSON files, a piece at a time. */
import { fault } from '#kernel/fault'

/** A row or an item with more characters is a sign that the file is damaged. */
const LONGEST = 1 << 22

/** The text of the pieces. @throws a fault if it is not UTF-8 */
async function* textOf(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true })
  const decoded = (piece?: Uint8Array) => {
    try {
      return piece ? decoder.decode(piece, { stream: true }) : decoder.decode()
    } catch {
      throw fault(`${name} is not text in UTF-8.`)
    }
  }
  for await (const piece of pieces) yield decoded(piece)
  yield decoded()
}

/** One row from a place of the text on; undefined if the text ends within it. */
function rowFrom(text: string, from: number, isLast: boolean): { cells: string[]; end: number } | undefined {
  const cells: string[] = []
  let cell = ''
  for (let at = from; ; ) {
    if (text[at] === '"') {
      const close = text.indexOf('"', at + 1)
      if (close < 0) return undefined
      cell += text.slice(at + 1, close)
      at = close + 1
      if (text[at] === '"') cell += '"' // a doubled one is one of the text, and the quoted part goes on
      if (at >= text.length && !isLast) return undefined
      continue
    }
    const next = text.slice(at, at + 1)
    if (next === ',' || next === '\n' || next === '') {
      if (next === '' && !isLast) return undefined
      cells.push(cell)
      cell = ''
      if (next !== ',') return { cells, end: at + 1 }
      at++
      continue
    }
    let end = at
    while (end < text.length && text[end] !== ',' && text[end] !== '\n') end++
    cell += text.slice(at, end).replace(/\r$/, '')
    at = end
  }
}

/** The cells of a line whose cells have no quotes in them: nearly all. undefined for others. */
function plainCells(line: string): string[] | undefined {
  if (!line.includes('"')) return line.split(',')
  if (!line.startsWith('"') || !line.endsWith('"') || line.length < 2) return undefined
  const cells = line.slice(1, -1).split('","')
  return cells.some((cell) => cell.includes('"')) ? undefined : cells
}

/**
 * The rows of a csv file in groups, without the empty ones.
 * @throws a fault if a row has no end
 */
export async function* csvRows(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string[][]> {
  let rest = ''
  function take(text: string, isLast: boolean): string[][] {
    const rows: string[][] = []
    let from = 0
    while (from < text.length) {
      const end = text.indexOf('\n', from)
      const line = end < 0 ? undefined : text.slice(from, end > from && text[end - 1] === '\r' ? end - 1 : end)
      const plain = line === undefined ? undefined : plainCells(line)
      if (plain) {
        if (line) rows.push(plain)
        from = end + 1
        continue
      }
      const row = rowFrom(text, from, isLast)
      if (!row) break
      if (row.cells.length > 1 || row.cells[0]) rows.push(row.cells)
      from = row.end
    }
    rest = text.slice(from)
    if (rest.length > LONGEST || (isLast && rest)) throw fault(`${name} is damaged: a quoted text in it has no end.`)
    return rows
  }
  for await (const text of textOf(pieces, name)) {
    const rows = take(rest + text, false)
    if (rows.length) yield rows
  }
  const last = take(rest, true)
  if (last.length) yield last
}

/**
 * The items of the lists of a JSON file in groups, each as its text: of `{"Foods": [a, b]}` and of `[a, b]`, a and b.
 * @throws a fault if an item has no end
 */
export async function* jsonItems(pieces: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<string[]> {
  let [depth, listDepth, isText, isEscaped] = [0, -1, false, false]
  let item: string | undefined
  for await (const text of textOf(pieces, name)) {
    const items: string[] = []
    let from = 0
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at)
      if (isText) {
        if (isEscaped) isEscaped = false
        else if (code === 0x5c) isEscaped = true
        else if (code === 0x22) isText = false
      } else if (code === 0x22) isText = true
      else if (code === 0x7b || code === 0x5b) {
        if (code === 0x5b && listDepth < 0) listDepth = depth + 1
        else if (code === 0x7b && depth === listDepth) [item, from] = ['', at]
        depth++
      } else if (code === 0x7d || code === 0x5d) {
        depth--
        if (item !== undefined && depth === listDepth) {
          items.push(item + text.slice(from, at + 1))
          item = undefined
        }
        if (depth < listDepth) listDepth = -1
      }
    }
    if (item !== undefined) item += text.slice(from)
    if (item !== undefined && item.length > LONGEST) throw fault(`${name} is damaged: an item in it has no end.`)
    if (items.length) yield items
  }
  if (depth !== 0 || isText) throw fault(`${name} is damaged: it ends in the middle. Download it again.`)
}
