/** Makes a plan of the bytes of a file (pure). */

import type { ImportPlan } from '#design/stages/importPlan'
import type { Source } from '#design/structures/model'
import { rowsOf } from '#documents/csv'
import { decode } from '#documents/texts'
import type { Draft } from '#exchange/imports/common/draft'
import { planOf } from '#exchange/imports/common/languages'
import { draftFromOdm } from '#exchange/imports/odm/read'
import { draftFromRedcap } from '#exchange/imports/redcap/read'
import { draftFromXlsform } from '#exchange/imports/xlsform/read'
import { unreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { entriesOf, isZip } from '#writers/unzip'

/** The maximum size of a file, and of the unpacked contents of an archive, in bytes. */
export const LARGEST = 32 << 20
const UNPACKED = 64 << 20

/** The bytes of the dictionary: the file itself, or the one in an instrument archive. */
function redcapText(bytes: Uint8Array): Uint8Array {
  if (!isZip(bytes)) return bytes
  const entries = entriesOf(bytes, UNPACKED, unreadable)
  const found =
    entries.find(({ name }) => /(^|\/)instrument\.csv$/i.test(name)) ?? entries.find(({ name }) => /\.csv$/i.test(name))
  if (!found) throw unreadable(reason('noInstrument'))
  return found.read()
}

/** The text of a file, and a function that adds a warning to its draft if the encoding was guessed. */
function text(bytes: Uint8Array): { text: string; draft(draft: Draft): Draft } {
  const { text, isGuessed } = decode(bytes)
  if (text.includes('\0')) throw unreadable(reason('bytesInText'))
  const warning = { field: '', problem: 'The file is not UTF-8; it was read as Western European (Windows-1252).' }
  return { text, draft: (draft) => (isGuessed ? { ...draft, warnings: [warning, ...draft.warnings] } : draft) }
}

function draftOf(source: Source, bytes: Uint8Array): Draft {
  if (!bytes.length) throw unreadable(reason('fileEmpty'))
  if (bytes.length > LARGEST) throw unreadable(reason('fileTooLarge', { limit: LARGEST >> 20 }))
  if (source === 'xlsform') return draftFromXlsform(bytes, UNPACKED)
  const read = text(source === 'redcap' ? redcapText(bytes) : bytes)
  return read.draft(source === 'redcap' ? draftFromRedcap(rowsOf(read.text)) : draftFromOdm(read.text))
}

/**
 * Reads an instrument or a whole study: a REDCap data dictionary (CSV, or an instrument archive), an XLSForm (xlsx or xls),
 * CDISC ODM 1.3 or 2.0 (XML). Throws an `unreadable` if the file cannot be read.
 * @param languages into which the trial is translated; without it, all of the file are read
 */
export function readPlan(source: Source, bytes: Uint8Array, languages?: readonly string[]): ImportPlan {
  const plan = planOf(draftOf(source, bytes), false, languages)
  if (!plan.stages.length) throw unreadable(reason('noFormInFile'))
  return plan
}
