import type { Membership } from '../../access/caller'
import type { Scope } from '../../http/operation'
import type { Id } from '../../kernel/id'
import { refuse } from '../../kernel/problem'

export type InTeam = { team: Membership & { _id: Id } }

/** The team that `:teamId` names, for its own members; a person who only holds something on one of its trials is none. */
export const team: Scope<InTeam> = ({ caller, params }) => {
  const membership = caller.kind === 'staff' ? caller.teams.get(params.teamId!) : undefined
  if (!membership) throw refuse.missing('team')
  return { team: { _id: params.teamId!, ...membership } }
}
