import { read, utils } from 'xlsx'
import { LARGEST, MOST_ROWS } from '#design/translations/files/model'
import type { ReadTask } from '#design/translations/files/task'
import { numberedRowsOf } from '#documents/csv'
import type { NumberedRow } from '#documents/numberedRow'
import { decode } from '#documents/texts'
import { normalizedArchive } from '#documents/unicode'
import type { Work } from '#jobs/work'
import { isUnreadable, unreadable } from '#kernel/fault'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { uploadBytes } from '#storage/uploadContent'
import { unescapeFormula } from '#writers/csv'
import { isZip } from '#writers/unzip'

/** The first characters of a workbook in base64. */
const WORKBOOK = 'UEsDB'
const UNPACKED = 64 << 20

async function bytesOf(task: ReadTask, files: string): Promise<Uint8Array> {
  if ('fileName' in task) return uploadBytes(files, task.fileName, LARGEST, unreadable)
  if (!task.content.startsWith(WORKBOOK)) return new TextEncoder().encode(task.content)
  return Buffer.from(task.content.replace(/\s+/g, ''), 'base64')
}

function workbookRows(file: Uint8Array): NumberedRow[] {
  const bytes = normalizedArchive(file, UNPACKED)
  const options = { dense: true, sheets: [0], sheetRows: MOST_ROWS + 2, cellFormula: false, cellHTML: false }
  let table: unknown[][]
  try {
    const book = read(bytes, { type: 'array', ...options, cellText: false })
    table = utils.sheet_to_json<unknown[]>(book.Sheets[book.SheetNames[0] ?? ''] ?? {}, { header: 1, blankrows: true })
  } catch {
    throw unreadable(reason('workbookUnreadable'))
  }
  if (table.length > MOST_ROWS + 1) throw unreadable(reason('tooManyRows', { most: MOST_ROWS }))
  // Notes beside the table have no header, and are not read.
  const columns = table[0]?.length ?? 0
  return table.map((cells, at) => ({
    line: at + 1,
    cells: Array.from(cells.slice(0, columns), (cell) => (cell == null ? '' : String(cell).replaceAll('\r\n', '\n'))),
  }))
}

function tableRows(bytes: Uint8Array): NumberedRow[] {
  const { text, isGuessed } = decode(bytes)
  // A wrong guess would be shown to participants.
  if (isGuessed || text.includes('\0')) throw unreadable(reason('tableNotUtf8'))
  const rows = numberedRowsOf(text, MOST_ROWS + 1)
  return rows.map(({ line, cells }) => ({ line, cells: cells.map(unescapeFormula) }))
}

/** A file of translations as headers and rows of cells. Refuses (400) one that is neither csv nor a workbook. */
export const readWork: Work<ReadTask, { headers: string[]; rows: NumberedRow[] }> = async (task, { setup }) => {
  try {
    const bytes = await bytesOf(task, setup.files)
    if (!bytes.length) throw unreadable(reason('fileEmpty'))
    const [first, ...rows] = isZip(bytes) ? workbookRows(bytes) : tableRows(bytes)
    return { headers: (first?.cells ?? []).map((header) => header.trim()), rows }
  } catch (error) {
    throw isUnreadable(error) ? refuse.bad(error.reason) : error
  }
}
