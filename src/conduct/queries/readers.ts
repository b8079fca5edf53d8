import { holds, isInScope, type Places, visibleScopeOf } from '#access/caller'
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/hiddenFields/hiddenFields'
import type { Id } from '#kernel/id'

/** The subject of a query: a field of a response of a participant in these places; `dataType` is null for the whole response. */
type QuerySubject = { trial: Id; places: Places; dataType: Id | null }

/** The people among these who can read a query: they read the participant's study data, and the field is not hidden from them. */
export const readersAmong = (
  db: Db,
  configuration: Configuration,
  { trial, places, dataType }: QuerySubject,
  people: readonly Id[],
): Id[] =>
  people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    if (!access || !isInScope(visibleScopeOf(access), places) || !holds(access, 'readParticipantStudyData', places))
      return false
    return dataType === null || !hiddenFrom(configuration, access, places)(dataType)
  })
