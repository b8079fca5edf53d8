/** Casebooks between the reading, which is of one moment, and the drawing, which takes long: in a temporary file. */

import type { ExportContext } from '#exchange/exports/context'
import { uniqueHeaders } from '#exchange/exports/datasets/columns'
import type { PackageDescription } from '#exchange/exports/packages/readme'
import { safeFileName } from '#storage/names'
import type { Spool } from '#writers/spool'
import type { Casebook } from './model'
import { casebookPdf } from './pdf'
import { casebooks } from './read'
import { casebookText } from './text'

/** The columns of the spool: the ID of the participant, and the casebook as JSON. */
export const CASEBOOK_COLUMNS = 2

/** After so many casebooks garbage is collected: each has its own part of the fonts. */
const COLLECTED = 20

/** Reads all casebooks into the spool. Call it in one transaction. Returns the number of their responses. */
export function spoolCasebooks(
  spool: Spool,
  from: ExportContext,
  about: PackageDescription,
  scope: { withHistory: boolean; isFiltered: boolean },
): number {
  let responses = 0
  for (const { participantId, rows, book } of casebooks(from, about, scope)) {
    spool.add([participantId, JSON.stringify(book)])
    responses += rows
  }
  return responses
}

/**
 * Draws the casebooks of the spool one by one. Where the fonts lack characters, a text file with all of them follows the PDF.
 * @param add takes the name of a file, which is unique, and its bytes
 */
export async function drawCasebooks(spool: Spool, add: (name: string, bytes: Uint8Array) => void): Promise<void> {
  const free = uniqueHeaders()
  // A participant of this name must not take the place of README.txt.
  free('README')
  let drawnCount = 0
  for (const [participantId, text] of spool.rows()) {
    const book = JSON.parse(String(text)) as Casebook
    const name = free(safeFileName(String(participantId)))
    const { pdf, isWhole } = await casebookPdf(book)
    add(`${name}.pdf`, pdf)
    if (!isWhole) add(`${name}.txt`, Buffer.from(casebookText(book)))
    drawnCount += 1
    if (drawnCount % COLLECTED === 0) Bun.gc(true)
  }
}
