import type { Extras } from '#exchange/imports/extras'

/** A file, and what it says in notes of ours only. */
export type Written = { content: string | Uint8Array; noted: Extras }
