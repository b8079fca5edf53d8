/** Decides which data types are hidden from a reader. */
import { type Access, holds, type Places } from '#access/caller'
import type { Id } from '#kernel/id'

/** The flags of data types, by `_id`, with those that calculations inherit. */
type FlaggedTypes = { withInheritedFlags: ReadonlyMap<Id, { isRestricted: boolean; isPii: boolean }> }

/** Whether a data type (`_id`) is hidden from the reader. Responses leave hidden answers out without saying so. */
export type HiddenFieldTest = (dataType: Id) => boolean

/** The permissions that one needs to see every answer. */
export const SEE_ALL_ANSWERS = ['trial.readParticipantStudyDataRestricted', 'trial.readParticipantStudyDataPii']

/** For a reader who sees every answer. */
export const noHiddenFields: HiddenFieldTest = () => false

/** Whether a data type is hidden from readers without either permission, and from participants: staff can sign in as them. */
export function isSensitive({ withInheritedFlags }: FlaggedTypes, dataType: Id): boolean {
  const { isRestricted, isPii } = withInheritedFlags.get(dataType) ?? { isRestricted: true, isPii: true }
  return isRestricted || isPii
}

/** Whether the reader sees all answers, including those to deleted data types. */
export const hasNoHiddenFields = (hidden: HiddenFieldTest): boolean => hidden === noHiddenFields

/** What is hidden from a member of staff about participants of these sites and groups. */
export function hiddenFrom({ withInheritedFlags }: FlaggedTypes, access: Access, places: Places): HiddenFieldTest {
  const restricted = holds(access, 'readParticipantStudyDataRestricted', places)
  const pii = holds(access, 'readParticipantStudyDataPii', places)
  if (restricted && pii) return noHiddenFields
  return (id) => {
    const dataType = withInheritedFlags.get(id)
    // The flags of a deleted data type are unknown, so it stays hidden.
    return !dataType || (dataType.isRestricted && !restricted) || (dataType.isPii && !pii)
  }
}
