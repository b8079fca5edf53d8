import { sha256 } from '#kernel/id'

/** What the words of a trial begin with in an index of texts, so that a search reads only these: five characters. */
export const trialPrefix = (trial: string): string => sha256(trial).slice(0, 5)
