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
  const names: string[] = []
  addNames(value, names)
  return names
}

// Every write passes here, with a hundred values or more: a list for each of them would cost as much as the search.
function addNames(value: unknown, names: string[]): void {
  if (typeof value === 'string') {
    if (value.length >= SHORTEST) names.push(...(value.match(NAME) ?? []))
  } else if (Array.isArray(value)) {
    for (const each of value) addNames(each, names)
  } else if (typeof value === 'object' && value !== null) {
    for (const key in value) addNames((value as Record<string, unknown>)[key], names)
  }
}

/** Marks the uploads that a body names as used. Call it in the transaction of the write. */
export function markUploadsUsed(db: Db, body: unknown): void {
  for (const name of storedNamesIn(body)) markUsed(db, name)
}
