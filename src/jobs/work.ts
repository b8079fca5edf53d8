import type { Db } from '#db/open'
import type { Ground } from './pool'

/** What work is given on its worker thread. */
export type Bench = {
  /** Read-only. */
  db: Db
  ground: Ground
  /** Tells whoever waits how far it is, in words. */
  progress(text: string): void
}

/** The work of a kind of job. Throws a `Problem` with what a person is to be told; anything else is a defect. */
export type Work<I, R> = (input: I, bench: Bench) => Promise<R> | R
