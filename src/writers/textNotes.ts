/** Notes about the texts of a column, for formats that hold texts of any length. */
import type { Column } from './columns'
import { countText, type NoteList, rowsText } from './noteList'

/** What a format cannot hold of a text. */
export type TextLimits = { emptyIsBlank?: boolean; endIsTrimmed?: boolean }

/** Notes what is not in the file as it was entered. */
export function noteTexts(
  { variable: { name }, tally: { empty, trailingSpaces, nuls } }: Column,
  { emptyIsBlank = false, endIsTrimmed = false }: TextLimits,
  notes: NoteList,
): void {
  if (emptyIsBlank && empty.count)
    notes.add(name, `${countText(empty.count, 'empty text')} cannot be told from blanks (${rowsText(empty)}).`)
  if (endIsTrimmed && trailingSpaces.count)
    notes.add(
      name,
      `Spaces at the end of ${countText(trailingSpaces.count, 'text')} cannot be told from padding (${rowsText(trailingSpaces)}).`,
    )
  if (nuls.count) notes.add(name, `The character NUL is ␀ in ${countText(nuls.count, 'text')} (${rowsText(nuls)}).`)
}
