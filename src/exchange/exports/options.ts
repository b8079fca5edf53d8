/** What the writing of an export is told beside what was asked for. */

import type { Written } from '#jobs/growing'
import type { Keys } from '#kernel/keyring'
import type { MakeLink } from '#storage/storage'

export type WriteOptions = {
  /** For a reading: makes the links to files. */
  link?: MakeLink | undefined
  /** Called while a large export is written. */
  written?: (so: Written) => void
  /** The secret that the key of signed packages follows from. */
  storageKey?: Keys
  /** How many responses make an export large; only tests set another. */
  large?: number
}
