import { holds, type Places, sightOf, within } from '../../access/caller'
import { accessOf } from '../../access/identify'
import type { Db } from '../../db/open'
import type { Id } from '../../kernel/id'

/** Those of some people who can read the study data of a participant in these places. */
export const readersAmong = (db: Db, trial: Id, places: Places, people: readonly Id[]): Id[] =>
  people.filter((user) => {
    const access = accessOf(db.$client, user).trials.get(trial)
    return access && within(sightOf(access), places) && holds(access, 'readParticipantStudyData', places)
  })
