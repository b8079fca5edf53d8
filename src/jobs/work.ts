import type { Db } from '#db/open'
import type { Ground } from './pool'

/** What a kind of work is given on its worker thread. */
export type Bench = {
  /** Read-only. */
  db: Db
  ground: Ground
  /** Tells whoever waits how far it is, in words. */
  progress(text: string): void
}

/** A kind of work. Throws an `Error` whose message is fit to show a person. */
export type Work = (input: never, bench: Bench) => Promise<Record<string, unknown>> | Record<string, unknown>
