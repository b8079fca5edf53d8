/** Options for writing an export, beside those of the request. */

import type { WriteProgress } from '#jobs/fileWork'
import type { Keys } from '#kernel/keyring'
import type { LinkMaker } from '#storage/storage'

export type WriteOptions = {
  /** For a reading: makes the links to files. */
  link?: LinkMaker | undefined
  /** Called while a large export is written. */
  onProgress?: (progress: WriteProgress) => void
  /** The secret that the key of signed packages follows from. */
  storageKey?: Keys
  /** How many responses make an export large; only tests set another. */
  large?: number
}
