/** Which data types are hidden from a reader. */
import { type Access, holds, type Places } from '#access/caller'
import type { Id } from '#kernel/id'

/** Data types as far as their answers are hidden from some, by `_id`. */
type Guarded = { guarded: ReadonlyMap<Id, { isRestricted: boolean; isPii: boolean }> }

/** Which data types the reader does not see: restricted and PII ones are silently left out (convention 10). */
export type Hidden = (dataType: Id) => boolean

/** What it takes to see every answer, as permissions are granted. */
export const SEEING = ['trial.readParticipantStudyDataRestricted', 'trial.readParticipantStudyDataPii']

/** Of a reader who sees every answer. */
export const nothing: Hidden = () => false

/** Whether a data type is hidden from whoever holds neither permission: participants too, whom staff can sign in as. */
export function isGuarded({ guarded }: Guarded, dataType: Id): boolean {
  const { isRestricted, isPii } = guarded.get(dataType) ?? { isRestricted: true, isPii: true }
  return isRestricted || isPii
}

/** Whether a reader sees every answer there is or was. */
export const hidesNothing = (hidden: Hidden): boolean => hidden === nothing

/** What is hidden from a member of staff about participants in these places. */
export function hiddenFrom({ guarded }: Guarded, access: Access, places: Places): Hidden {
  const restricted = holds(access, 'readParticipantStudyDataRestricted', places)
  const pii = holds(access, 'readParticipantStudyDataPii', places)
  if (restricted && pii) return nothing
  return (id) => {
    const dataType = guarded.get(id)
    // A data type that is gone can no longer be said to be open to everyone.
    return !dataType || (dataType.isRestricted && !restricted) || (dataType.isPii && !pii)
  }
}
