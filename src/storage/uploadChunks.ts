/** What uploads in one piece and in parts have in common: how bytes come from the line to the disk. */
import { type FileHandle, link, mkdir, open, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { refuse } from '#kernel/problem'

/** The next bytes; undefined at the end. If the connection breaks: 400, since that is not an error of the server. */
export async function nextBytes(reader?: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader?.read())?.value
  } catch {
    throw refuse.bad('cutShort')
  }
}

/** Writes all of the chunk. @param at the place in the file; without it, after what was written before */
export async function writeWhole(file: FileHandle, chunk: Uint8Array, at?: number) {
  for (let done = 0; done < chunk.byteLength; )
    done += (await file.write(chunk, done, undefined, at === undefined ? null : at + done)).bytesWritten
}

/** Frees a chunk's memory at once: with the garbage collector alone, a fast upload needs about 30 MB more. */
export function freeChunk({ buffer, byteLength }: Uint8Array) {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0)
}

/** Gives a finished file its name. A hard link, unlike a rename, never replaces an existing file. */
export async function nameFile(temporary: string, path: string, directory: string) {
  await mkdir(dirname(path), { recursive: true })
  try {
    await link(temporary, path)
  } catch (error) {
    throw codeOf(error) === 'EEXIST' ? alreadyUploaded() : error
  }
  await flushFolder(dirname(path))
  await flushFolder(directory)
}

/** A name is on disk only when its folder is flushed. Windows cannot open a folder, and flushes names by itself. */
async function flushFolder(path: string) {
  if (process.platform === 'win32') return
  const folder = await open(path, 'r')
  await folder.sync().finally(() => folder.close())
}

export const exists = (path: string) =>
  stat(path).then(
    () => true,
    () => false,
  )

const codeOf = (error: unknown) => (error as { code?: string }).code

/** Normalizes a media type: case and the spaces around parameters do not matter. */
const normalize = (type: string) =>
  type
    .toLowerCase()
    .replace(/\s*([;=])\s*/g, '$1')
    .trim()

/** Refuses (400) another media type than the declared one. */
export function requireType(request: Request, type: string): void {
  const contentType = request.headers.get('content-type') ?? ''
  if (normalize(contentType) !== normalize(type)) throw refuse.bad('otherContentType', { type })
}

export const alreadyUploaded = () => refuse.bad('alreadyUploaded')
