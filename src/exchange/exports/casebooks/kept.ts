/** Casebooks between the reading, which is of one moment, and the drawing, which takes long: in a temporary file. */
import { uniqueHeaders } from '#exchange/exports/columns'
import type { ExportContext } from '#exchange/exports/context'
import type { PackageAbout } from '#exchange/exports/packages/readme'
import { safeFileName } from '#storage/names'
import type { Spool } from '#writers/spool'
import type { Casebook } from './model'
import { casebookPdf } from './pdf'
import { casebooks } from './read'

/** The columns of the spool: the ID of the participant, and the casebook as JSON. */
export const CASEBOOK_COLUMNS = 2

/** After so many casebooks garbage is collected: each has fonts of its own. */
const COLLECTED = 20

/** Reads all casebooks into the spool. Call it in one transaction. Returns the number of their responses. */
export function keepCasebooks(
  spool: Spool,
  from: ExportContext,
  about: PackageAbout,
  asked: { withHistory: boolean; isFiltered: boolean },
): number {
  let responses = 0
  for (const { participantId, rows, book } of casebooks(from, about, asked)) {
    spool.add([participantId, JSON.stringify(book)])
    responses += rows
  }
  return responses
}

/** Draws the casebooks of the spool one by one. @param add takes the name of the file, which is unique, and its bytes */
export async function drawCasebooks(spool: Spool, add: (name: string, pdf: Uint8Array) => void): Promise<void> {
  const free = uniqueHeaders()
  let drawn = 0
  for (const [participantId, text] of spool.rows()) {
    const pdf = await casebookPdf(JSON.parse(String(text)) as Casebook)
    add(`${free(safeFileName(String(participantId)))}.pdf`, pdf)
    drawn += 1
    if (drawn % COLLECTED === 0) Bun.gc(true)
  }
}
