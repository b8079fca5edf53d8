import { closeSync, fsyncSync, openSync, renameSync, unlinkSync, writeSync } from 'node:fs'
import { dirname } from 'node:path'

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

/**
 * Writes a file completely or not at all, even if the power fails: it writes and flushes a temporary file, renames it and flushes
 * the directory.
 */
export function writeDurably(path: string, content: string | Uint8Array, mode = 0o600): void {
  const temporary = `${path}.${process.pid}.tmp`
  const bytes = typeof content === 'string' ? Buffer.from(content) : content
  const file = openSync(temporary, 'w', mode)
  try {
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
