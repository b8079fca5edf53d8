/** The service after its keys were rotated, on a copy of the data directory of a world. */
import { watchRowsOnce } from '#db/watch'
import type { Key } from '#kernel/keyring'
import { createSeal } from '#kernel/seal'
import { parseInstant } from '#kernel/time'
import { renewAll } from '#server/secrets/renew'
import { afterKill, type World } from '../harness'
import { person } from '../person'

const first: Key = { version: 1, secret: 'signs the links of a test' }
const second: Key = { version: 2, secret: 'another one that signs links' }

/** The keys of a world, after a rotation, and after the first was forgotten. */
export const keys = { before: [first], rotated: [second, first], forgotten: [second] } as const

/** A service with these keys. What is stored was made anew, unless the rotation was interrupted at once. */
export function rotated(
  w: Pick<World, 'directory' | 'now' | 'service'>,
  which: 'rotated' | 'forgotten' = 'rotated',
  isInterrupted = false,
) {
  w.service.flush()
  const service = afterKill(w, { storageKey: keys[which], pushKey: Buffer.alloc(32, 7) })
  const { db } = service.services
  watchRowsOnce(db)
  const renewed = isInterrupted ? undefined : renewAll(db, createSeal(keys.rotated), 2, parseInstant(w.now())!)
  return {
    service,
    db,
    renewed,
    nobody: person(service, {}),
    as: ({ credentials }: { credentials: Record<string, string> }) => person(service, credentials),
  }
}
