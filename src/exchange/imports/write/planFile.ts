import type { PlanExtras } from '#exchange/imports/common/extras'

/** A file, and the notes that it contains. */
export type PlanFile = { content: string | Uint8Array; extras: PlanExtras }
