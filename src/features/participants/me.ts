import { rowById } from '../../db/rows'
import { participants } from '../../db/tables'
import type { Scope } from '../../http/operation'
import { found, refuse } from '../../kernel/problem'
import { type InTrial, trialSeenBy } from '../trials/scope'

type Me = InTrial & { participant: typeof participants.$inferSelect }

/** The participant whose token the request carries, in their trial; a path that names another trial is 404. */
export const me: Scope<Me> = (asked) => {
  const { caller, db, params } = asked
  if (caller.kind !== 'participant') throw refuse.unauthenticated()
  const seen = trialSeenBy(asked, params.trialId ?? caller.trial)
  return { ...seen, participant: found(rowById(db, participants, caller.participant), 'participant') }
}
