/** Whether training counts. Days are texts such as `2026-03-02`, which sort as days do. */
export const states = ['valid', 'expired', 'renewed', 'struck'] as const
export type TrainingState = (typeof states)[number]

type Entry = { struckAt: number | null; expiresOn: string | null }

/** The state of an entry. @param isRenewed whether a later entry is about the same person and training; @param today in the zone of the trial */
export function stateOf({ struckAt, expiresOn }: Entry, isRenewed: boolean, today: string): TrainingState {
  if (struckAt !== null) return 'struck'
  if (isRenewed) return 'renewed'
  return expiresOn !== null && expiresOn < today ? 'expired' : 'valid'
}
