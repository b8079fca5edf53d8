/** Which entries of a delegation log are in force. Days are texts such as `2026-03-02`, which sort as days do. */

export const states = ['awaitingPerson', 'awaitingInvestigator', 'planned', 'active', 'ended'] as const
export type DelegationState = (typeof states)[number]

export const INVESTIGATOR = 'principalInvestigator'

type Entry = { role: string; startsOn: string; endsOn: string | null }
type SignedAs = 'person' | 'investigator'

/** The signatures that an entry needs, in this order: a principal investigator signs for themselves only. */
export const requiredSignatures = ({ role }: Pick<Entry, 'role'>): readonly SignedAs[] =>
  role === INVESTIGATOR ? ['person'] : ['person', 'investigator']

/** The state of an entry: in force once it is signed, from its first to its last day. @param today in the zone of the trial */
export function stateOf(entry: Entry, signed: readonly SignedAs[], today: string): DelegationState {
  if (entry.endsOn !== null && entry.endsOn < today) return 'ended'
  if (!signed.includes('person')) return 'awaitingPerson'
  if (requiredSignatures(entry).some((each) => !signed.includes(each))) return 'awaitingInvestigator'
  return entry.startsOn > today ? 'planned' : 'active'
}
