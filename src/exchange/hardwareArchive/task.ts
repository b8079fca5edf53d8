import { PackedAccess } from '#access/packedAccess'
import { id, shape, text, type ValueOf, whole } from '#wire/schema'

export const HardwareArchiveTask = shape({
  trial: id(),
  /** What the caller may see, and so what the archive may hold. */
  access: PackedAccess,
  /** When it was requested, in microseconds. */
  at: whole(),
  /** The stored name of the file. */
  file: text(1, 200),
})
export type HardwareArchiveTask = ValueOf<typeof HardwareArchiveTask>

/** Records by dataset. */
export type HardwareArchive = { bytes: number; sha256: string; counts: Record<string, number> }
