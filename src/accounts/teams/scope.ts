import { rowById } from '#db/rows'
import { teams } from '#db/tables/index'
import type { Scope } from '#http/operation'
import { found, refuse } from '#kernel/problem'
import { type MemberRow, memberOf, type TeamRow } from './store'

export type TeamScope = { team: TeamRow }

/** The team that `:teamId` names. Refuses (404) callers who are not its members. */
export const team: Scope<TeamScope, 'teamId'> = ({ db, caller, params }) => {
  if (!caller.teams.has(params.teamId)) throw refuse.missing('team')
  return { team: found(rowById(db, teams, params.teamId), 'team') }
}

/** The team member that `:userId` names, disabled or not. Refuses (404) if there is none. */
export const member: Scope<TeamScope & { member: MemberRow }, 'teamId' | 'userId'> = (context) => {
  const scoped = team(context)
  return { ...scoped, member: found(memberOf(context.db, scoped.team._id, context.params.userId), 'user') }
}
