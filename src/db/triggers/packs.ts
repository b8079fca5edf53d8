/** The trigger of the index of packs (docs/packs.md, "Lists"). Its trigrams are added by the program, which finds them. */
import { markMergeDue, trigger } from './builders'

export const packTriggers: readonly string[] = [
  trigger(
    'packTrigramsEnd',
    'AFTER DELETE',
    'packs',
    `DELETE FROM packTrigrams WHERE rowid = OLD.key; ${markMergeDue('packTrigrams')}`,
  ),
]
