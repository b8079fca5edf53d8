import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

/** The rights of a file that only its owner reads. */
const OWN = 0o600

/** Flushes the entries of a directory to the disk, so that a new name survives a power cut. */
export function syncDirectory(path: string): void {
  if (process.platform === 'win32') return // Windows cannot open a directory, and flushes names by itself
  const directory = openSync(path, 'r')
  try {
    fsyncSync(directory)
  } finally {
    closeSync(directory)
  }
}

/** Flushes a file to the disk that is complete. */
export function syncFile(path: string): void {
  const file = openSync(path, 'r+')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/**
 * Writes a file completely or not at all, even if the power fails: it writes and flushes a temporary file, renames it and flushes
 * the directory.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = OWN): void {
  const temporary = `${path}.${process.pid}.tmp`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = openSync(temporary, 'w', mode)
  try {
    // What the program writes is closed to others (`umask`), unless it is to be given to them.
    if (mode !== OWN) fchmodSync(file, mode)
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at)
    fsyncSync(file)
  } catch (error) {
    closeSync(file)
    unlinkSync(temporary)
    throw error
  }
  closeSync(file)
  renameSync(temporary, path)
  syncDirectory(dirname(path))
}

/**
 * The same without making others wait for the disk.
 * @param isWanted asked before the file gets its name: whether it still should
 */
export async function writeDurablyLater(path: string, content: string, isWanted: () => boolean): Promise<void> {
  const temporary = `${path}.${process.pid}.later.tmp`
  const file = await open(temporary, 'w', 0o600)
  try {
    await file.writeFile(content)
    await file.sync()
  } finally {
    await file.close()
  }
  if (!isWanted()) return rm(temporary, { force: true })
  renameSync(temporary, path) // at once, so that what `isWanted` said still holds
  if (process.platform === 'win32') return
  const directory = await open(dirname(path), 'r')
  await directory.sync().finally(() => directory.close())
}

/** Removes the temporary files that killed processes left for files of these names. Call it only where no other process writes. */
export function removeUnfinishedWrites(folder: string, names: readonly string[]): void {
  for (const name of readdirSync(folder)) {
    const of = /^(.*)\.\d+(\.later)?\.tmp$/.exec(name)?.[1]
    if (of !== undefined && names.includes(of)) rmSync(join(folder, name), { force: true })
  }
}
