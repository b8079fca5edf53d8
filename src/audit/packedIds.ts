/** The participants whom a row of the trail of reads names: 12 bytes of each `_id`, which cost the least to store and to search. */
import type { Id } from '#kernel/id'

export const ID_BYTES = 12

/** Null and undefined are left out. @throws an error if an id is not hexadecimal */
export const packIds = (ids: readonly (Id | null | undefined)[]): Uint8Array => Uint8Array.fromHex(ids.join(''))

export const unpackIds = (packed: Uint8Array): Id[] => packed.toHex().match(/.{24}/g) ?? []

/** Whether an id is one of them. */
export function packedHas(packed: Uint8Array, id: Id): boolean {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.length)
  const own = packIds([id])
  // A match that begins in the middle of an id does not count.
  for (let at = bytes.indexOf(own); at >= 0; at = bytes.indexOf(own, at + 1)) if (at % ID_BYTES === 0) return true
  return false
}
