/**
 * Marks the uploads that an accepted write names, so that they are kept for ever (docs/decisions.md, "Uploads"). The pipeline
 * does it for all writes: no operation that stores the name of a file, in a draft, a history or a snapshot, can forget it.
 */
import type { Db } from '#db/open'
import { markUsed } from '#storage/store'

const NAME = /[0-9a-f]{24}-[0-9a-f]{32}(?:\.[a-z0-9]{1,10})?/g
const SHORTEST = 57

/** The stored names in the texts of a value, at any depth. */
export function storedNamesIn(value: unknown): string[] {
  if (typeof value === 'string') return value.length < SHORTEST ? [] : (value.match(NAME) ?? [])
  if (typeof value !== 'object' || value === null) return []
  const names: string[] = []
  for (const each of Object.values(value)) {
    for (const name of storedNamesIn(each)) names.push(name)
  }
  return names
}

/** Marks the uploads that a body names as used. Call it in the transaction of the write. */
export function keepUploads(db: Db, body: unknown): void {
  for (const name of storedNamesIn(body)) markUsed(db, name)
}
