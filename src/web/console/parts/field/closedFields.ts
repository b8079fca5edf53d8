/** Which answers a reader does not see, by the rule of the server (`hiddenFrom`): they stand in the casebook as closed rows (pure). */
import { type Access, holds, type Places } from '#access/caller'
import { type FlaggedType, inheritFlags } from '#design/hiddenFields/inheritedFlags'

/** Why an answer is closed to the reader. `unknown`: the field is gone, so that nobody knows what it was. */
export type ClosedReason = 'restricted' | 'personal' | 'both' | 'unknown'

/** Returns a function that returns why a field (`_id`) is closed to somebody about a participant of these places; undefined if it is not. */
export function closedFields<T extends FlaggedType>(
  dataTypes: readonly T[],
  access: Access,
  places: Places,
): (dataType: string) => ClosedReason | undefined {
  const flags = inheritFlags(new Map(dataTypes.map((each) => [each._id, each])))
  const seesRestricted = holds(access, 'readParticipantStudyDataRestricted', places)
  const seesPii = holds(access, 'readParticipantStudyDataPii', places)
  return (dataType) => {
    if (seesRestricted && seesPii) return undefined
    const own = flags.get(dataType)
    if (!own) return 'unknown'
    const isRestricted = own.isRestricted === true && !seesRestricted
    const isPersonal = own.isPii === true && !seesPii
    if (isRestricted && isPersonal) return 'both'
    return isRestricted ? 'restricted' : isPersonal ? 'personal' : undefined
  }
}
