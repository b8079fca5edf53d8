/** The trigger of the index of packs (docs/packs.md, "Lists"). Its trigrams are added by the program, which finds them. */
import { mergeDue, trigger } from './words'

export const packTriggers: readonly string[] = [
  trigger(
    'packTrigramsEnd',
    'AFTER DELETE',
    'packs',
    `DELETE FROM packTrigrams WHERE rowid = OLD.key; ${mergeDue('packTrigrams')}`,
  ),
]
