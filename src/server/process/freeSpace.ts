import { statfsSync } from 'node:fs'

/** The free bytes on the disk of a path that exists. */
export function freeSpaceAt(path: string): number {
  const { bavail, bsize } = statfsSync(path)
  return bavail * bsize
}
