import { uploadPath } from './names'

/**
 * Reads an upload into memory. 404 if the name is not a stored name.
 * @param largest in bytes; a larger file is not read
 * @param refusal makes the error for a larger file from one sentence
 */
export async function uploadBytes(
  folder: string,
  storedName: string,
  largest: number,
  refusal: (problem: string) => Error,
): Promise<Uint8Array> {
  const file = Bun.file(uploadPath(folder, storedName))
  if (file.size > largest) throw refusal(`It is larger than ${largest >> 20} MB.`)
  return file.bytes()
}
