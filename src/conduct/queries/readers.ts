import { holds, type Places, sightOf, within } from '#access/caller'
import { accessOf } from '#access/identify'
import type { Db } from '#db/open'
import type { Configuration } from '#design/configuration/configuration'
import { hiddenFrom } from '#design/configuration/hidden'
import type { Id } from '#kernel/id'

/** What a query is about: a response of somebody in these places, and a field of it or, with null, all of it. */
type About = { trial: Id; places: Places; dataType: Id | null }

/** Those of some people who can read a query: the participant's study data, and the field where it is restricted or PII. */
export const readersAmong = (
  db: Db,
  configuration: Configuration,
  { trial, places, dataType }: About,
  people: readonly Id[],
): Id[] =>
  people.filter((user) => {
    const access = accessOf(db, user).trials.get(trial)
    if (!access || !within(sightOf(access), places) || !holds(access, 'readParticipantStudyData', places)) return false
    return dataType === null || !hiddenFrom(configuration, access, places)(dataType)
  })
