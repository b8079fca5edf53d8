import type { Extras } from '#exchange/imports/common/extras'

/** A file, and the notes that it contains. */
export type Written = { content: string | Uint8Array; extras: Extras }
