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
  if (!found) throw unreadable('The archive holds no instrument.csv: download the instrument from REDCap again.')
  return found.read()
}

/** The text of a file, and a function that adds a warning to its draft if the encoding was guessed. */
function text(bytes: Uint8Array): { text: string; draft(draft: Draft): Draft } {
  const { text, isGuessed } = decode(bytes)
  if (text.includes('\0'))
    throw unreadable('The file holds bytes that are no text: is it of another kind than was said?')
  const warning = { field: '', problem: 'The file is not UTF-8; it was read as Western European (Windows-1252).' }
  return { text, draft: (draft) => (isGuessed ? { ...draft, warnings: [warning, ...draft.warnings] } : draft) }
}

function draftOf(source: Source, bytes: Uint8Array): Draft {
  if (!bytes.length) throw unreadable('The file is empty.')
  if (bytes.length > LARGEST) throw unreadable(`The file is larger than ${LARGEST >> 20} MB.`)
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
  if (!plan.stages.length) throw unreadable('The file holds no form.')
  return plan
}
