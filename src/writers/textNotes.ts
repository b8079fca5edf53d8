/** Notes about the texts of a column, for formats that hold texts of any length. */
import type { Column } from './columns'
import { counted, type NoteList, places } from './noteList'

/** What a format cannot hold of a text. */
export type TextLimits = { emptyIsBlank?: boolean; endIsTrimmed?: boolean }

/** Notes what is not in the file as it was entered. */
export function noteTexts(
  { variable: { name }, tally: { empty, spaceEnds, nuls } }: Column,
  { emptyIsBlank = false, endIsTrimmed = false }: TextLimits,
  notes: NoteList,
): void {
  if (emptyIsBlank && empty.count)
    notes.add(name, `${counted(empty.count, 'empty text')} cannot be told from blanks (${places(empty)}).`)
  if (endIsTrimmed && spaceEnds.count)
    notes.add(
      name,
      `Spaces at the end of ${counted(spaceEnds.count, 'text')} cannot be told from padding (${places(spaceEnds)}).`,
    )
  if (nuls.count) notes.add(name, `The character NUL is ␀ in ${counted(nuls.count, 'text')} (${places(nuls)}).`)
}
