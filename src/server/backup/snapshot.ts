import { closeSync, fsyncSync, openSync } from 'node:fs'
import { copyInto } from '#db/file'
import type { Sqlite } from '#db/open'

/**
 * Copies one state of a database into a new file that only this user may read, and flushes it to the disk. Others may
 * write meanwhile. It needs no more memory than a page cache, and as much disk space as the rows.
 */
export function snapshotOf(sqlite: Sqlite, path: string): void {
  closeSync(openSync(path, 'wx', 0o600)) // so that no other user can read it, not even for a moment
  copyInto(sqlite, path)
  const file = openSync(path, 'r+')
  fsyncSync(file)
  closeSync(file)
}
