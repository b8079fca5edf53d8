/** Cells of an XLSForm: texts as its readers accept them, their translations, and the notes of our own exports. */
import { escapeForPlainText, toPlainText, UNPRINTABLE } from '#documents/texts'
import type { ExtraProperties } from '#exchange/imports/common/draft'
import { extraText } from '#exchange/imports/common/extras'
import { headingOf, textsIn } from '#exchange/imports/common/languageNames'
import { cut } from '#kernel/text'
import type { Row } from './xlsformSheets'

/** The maximum length of a note in a cell; Excel allows 32,767 characters. */
const CELL = 30_000

/**
 * A text as readers of XLSForms accept it: in the characters of XML, without `${`, with which it would name a field, and not blank.
 * What this changes is in the notes.
 */
export function validText(text: string): string {
  const shown = text.replace(UNPRINTABLE, '').replaceAll('${', '$ {')
  return escapeForPlainText(toPlainText(shown) === '' ? '…' : shown)
}

/** An expression, if XML can hold it; else it is in the notes only. */
export const inXml = (text: string | undefined): string | undefined =>
  text === undefined || text.search(UNPRINTABLE) >= 0 ? undefined : text

/** The cells of a note; a long one is split. */
export function extraCells(extra: ExtraProperties | undefined): Row {
  if (!extra || !Object.keys(extra).length) return {}
  const text = extraText(extra)
  const cells: Row = {}
  for (let n = 0, rest = text; rest; n++) {
    const part = cut(rest, CELL)
    cells[n ? `trialbox_${n + 1}` : 'trialbox'] = part
    rest = rest.slice(part.length)
  }
  return cells
}

/** The cells with the translations of a text, as `label::Deutsch (de)`. */
export const translated = (column: 'label' | 'hint', object: object | undefined, field: string): Row =>
  Object.fromEntries(
    (textsIn(object ?? {}, field).others ?? []).map(([language, text]) => [
      `${column}::${headingOf(language)}`,
      validText(text),
    ]),
  )
