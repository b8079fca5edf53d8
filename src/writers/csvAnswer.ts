import type { Cell } from './cell'
import { csvText } from './csv'
import { streamOf } from './stream'

const inJson = (text: string) => JSON.stringify(text).slice(1, -1)

function* pieces(headers: readonly string[], pages: Iterable<Cell[][]>): Generator<string> {
  const table = (rows: Cell[][]) => csvText({ name: 'csv', columns: headers.map((header) => ({ header })), rows })
  const first = table([])
  yield `{"csv":"${inJson(first)}`
  for (const page of pages) yield inJson(table(page).slice(first.length))
  yield '"}'
}

/** Returns `{csv}` as a stream: each page is read after the one before is sent, so that memory stays constant. */
export const csvAnswer = (headers: readonly string[], pages: Iterable<Cell[][]>): Response =>
  new Response(streamOf(pieces(headers, pages)))
