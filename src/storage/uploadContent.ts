import type { MakeUnreadable } from '#kernel/fault'
import { reason } from '#kernel/refusals/reason'
import { uploadPath } from './names'

/**
 * Reads an upload into memory. 404 if the name is not a stored name.
 * @param largest in bytes; a larger file is not read
 * @param refusal makes the error for a larger file from a reason
 */
export async function uploadBytes(
  folder: string,
  storedName: string,
  largest: number,
  refusal: MakeUnreadable,
): Promise<Uint8Array> {
  const file = Bun.file(uploadPath(folder, storedName))
  if (file.size > largest) throw refusal(reason('tooLargeToRead', { limit: largest >> 20 }))
  return file.bytes()
}
