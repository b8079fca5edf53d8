import { enabledUser } from '#access/store'
import { endSignIns } from '#accounts/users/store'
import { changedFields } from '#audit/changedFields'
import { updateById } from '#db/rows'
import { teams } from '#db/tables/index'
import { operation } from '#http/operation'
import { instantText } from '#kernel/time'
import { partial } from '#wire/schema'
import { changeKeepingAdmins } from './admins'
import { graceChange } from './gracePeriod'
import { invite } from './invitations'
import { Invitation, InvitationInput, Member, MemberInput, Members, ServerClock, Team, TeamInput, Teams } from './model'
import { member, team } from './scope'
import { memberOf, membersOf, teamResponse, teamsByIds, updateMember } from './store'

const listTeams = operation({
  id: 'listTeams',
  method: 'GET',
  path: '/teams',
  summary: 'List your teams',
  needs: 'nothing',
  returns: Teams,
  run: ({ db, caller }) => ({ teams: teamsByIds(db, [...caller.teams.keys()]).map(teamResponse) }),
})

const readTeam = operation({
  id: 'readTeam',
  method: 'GET',
  path: '/teams/:teamId',
  summary: 'Read a team',
  scope: team,
  needs: 'nothing',
  returns: Team,
  run: ({ team }) => teamResponse(team),
})

const editTeam = operation({
  id: 'updateTeam',
  method: 'PUT',
  path: '/teams/:teamId',
  summary: 'Change a team',
  description:
    'Its name, its features, the most participants that it may have, and for how long what is deleted is kept. Features that are left out do not change. ' +
    'Fewer days need an identity confirmed in the web app within five minutes, and a second administrator while a trial of the team has a signature, a consent, an allocation or a locked database: they hold once another one sends the same number.',
  scope: team,
  needs: 'team.admin',
  logs: 'updateTeam',
  body: partial(TeamInput),
  returns: Team,
  run: (context) => {
    const { db, team, body, record } = context
    const features = body.features && { ...team.features, ...body.features }
    const { deletionGraceDays, ...fields } = body
    const grace = graceChange(context, deletionGraceDays)
    const after = updateById(db, teams, team._id, { ...fields, features, ...grace })
    record({ event: changedFields(teamResponse(team), teamResponse(after)) })
    return teamResponse(after)
  },
})

const listMembers = operation({
  id: 'listMembers',
  method: 'GET',
  path: '/teams/:teamId/users',
  summary: 'List the members of a team',
  scope: team,
  needs: 'nothing',
  returns: Members,
  run: ({ db, team }) => ({ users: membersOf(db, team._id) }),
})

const inviteMember = operation({
  id: 'inviteMember',
  method: 'POST',
  path: '/teams/:teamId/users',
  summary: 'Invite a person to a team',
  description:
    'Sends an e-mail with a link, which is valid for 72 hours; the response contains it too, for servers without e-mail. ' +
    'A person who has set up an account already becomes a member at once. If the person has not chosen a password yet, ' +
    'another invitation makes a new link.',
  scope: team,
  needs: 'team.admin',
  logs: 'inviteUser',
  body: InvitationInput,
  sets: ['teams'],
  secret: true,
  returns: Invitation,
  run: ({ services, db, team, caller, body, now, record }) => {
    const from = { by: caller.user._id, publicUrl: services.publicUrl, now }
    const { user, setupUrl } = invite(db, team, { permissions: [], ...body }, from)
    const after = memberOf(db, team._id, user)!
    const { name, email, permissions } = after
    record({ event: { user, after: { name, email, permissions } } })
    return { ...after, setupUrl }
  },
})

const editMember = operation({
  id: 'updateMember',
  method: 'PUT',
  path: '/teams/:teamId/users/:userId',
  summary: 'Change the permissions of a member, or disable them',
  description:
    'A disabled member has no access to the team and its trials. An account whose memberships are all disabled is disabled: its sessions end, and its keys are refused. A team always keeps somebody with team.admin.',
  scope: member,
  needs: 'team.admin',
  logs: 'updateTeamUser',
  body: partial(MemberInput),
  sets: ['teamPermissions'],
  returns: Member,
  run: ({ db, team, member, body, now, record }) => {
    changeKeepingAdmins(db, member._id, () => updateMember(db, team._id, member._id, body))
    if (body.isDisabled && !enabledUser(db, member._id)) endSignIns(db, member._id, now)
    const after = memberOf(db, team._id, member._id)!
    record({ event: { user: member._id, ...changedFields(member, after) } })
    return after
  },
})

const acceptClock = operation({
  id: 'acceptClock',
  method: 'POST',
  path: '/teams/:teamId/clockAcceptance',
  summary: 'Confirm that the clock of the server is right',
  description:
    'The server follows the clock of its machine at once, although the clock jumped or is behind what was written last. `trialbox clock accept` does the same.',
  scope: team,
  needs: 'team.admin',
  logs: 'acceptClock',
  returns: ServerClock,
  // Not in the transaction: while the clock is behind, none begins.
  prepare: async ({ services }) => {
    const before = services.clock.now()
    services.acceptClock()
    return before
  },
  run: ({ services, prepared, record }) => {
    record({ event: { before: instantText(prepared), clock: instantText(services.clock.now()) } })
    return { now: services.clock.now() }
  },
})

export const teamOperations = [
  listTeams,
  readTeam,
  editTeam,
  acceptClock,
  listMembers,
  inviteMember,
  editMember,
] as const
