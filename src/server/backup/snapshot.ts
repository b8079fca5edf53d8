import { closeSync, fsyncSync, openSync } from 'node:fs'
import { copyInto } from '#db/file'
import type { Sqlite } from '#db/open'

/**
 * Copies a database, as it is at one moment, into a new file that only this user may read, flushed to the disk. Others may
 * write meanwhile. It takes no more memory than a page cache, and as much disk as the rows need.
 */
export function snapshotOf(sqlite: Sqlite, path: string): void {
  closeSync(openSync(path, 'wx', 0o600)) // so that nobody else can read it, not even for a moment
  copyInto(sqlite, path)
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
