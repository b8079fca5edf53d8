import type { Work } from '../work'

/** Every kind of work that runs on a worker thread. */
export const kinds: Record<string, Work> = {}
