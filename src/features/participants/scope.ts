import { type Places, sightOf, within } from '../../access/caller'
import { rowById } from '../../db/rows'
import { participants } from '../../db/tables'
import type { Scope } from '../../http/operation'
import { found, refuse } from '../../kernel/problem'
import { groupsOfParticipant, sitesOfParticipant } from '../timeline/queries'
import { type InTrial, trial } from '../trials/scope'

type InParticipant = InTrial & { participant: typeof participants.$inferSelect; places: Places }

/** The participant that `:participantId` names, in the trial, if within the caller's sight. */
export const participant: Scope<InParticipant> = (asked) => {
  const seen = trial(asked)
  const { db, params } = asked
  const row = found(rowById(db, participants, params.participantId!), 'participant')
  const places = { sites: sitesOfParticipant(db, row._id), groups: groupsOfParticipant(db, row._id) }
  if (row.trial !== seen.trial._id || (seen.access && !within(sightOf(seen.access), places))) {
    throw refuse.missing('participant')
  }
  return { ...seen, participant: row, places }
}
