import { account, Features } from '#accounts/users/model'
import * as t from '#wire/schema'

/** Features that are left out do not change. */
const FeatureSwitches = t.partial(Features)

/** See docs/participants.md, "The limit of a team". */
export const TeamInput = t.shape('TeamInput', {
  name: t.oneLine(2, 100),
  features: FeatureSwitches,
  participantLimit: t.withDescription(
    'The most participants in all trials together; null: no limit.',
    t.orNull(t.whole(0, 100_000_000)),
  ),
  deletionGraceDays: t.withDescription(
    'For how many days what is deleted is kept hidden, and can be restored; 0: it is purged at once.',
    t.whole(0, 3650),
  ),
})

export const Team = t.shape('Team', {
  _id: t.id(),
  name: t.oneLine(1, 100),
  features: Features,
  participantLimit: t.orNull(t.whole(0)),
  participantCount: t.whole(0),
  deletionGraceDays: t.whole(0),
  lowerGraceDays: t.withDescription(
    'A lower number of days that an administrator asked for, and that another must confirm by sending it too; null if there is none.',
    t.orNull(t.whole(0)),
  ),
})

export const Teams = t.shape('Teams', { teams: t.list(Team) })

export const ServerClock = t.shape('ServerClock', {
  now: t.withDescription('The time that the server uses from now on.', t.instant()),
})

/** The permissions that a member can have on a team (docs/permissions.md). */
export const TeamPermissions = t.list(t.oneOf('team.admin', 'trials.create', 'trials.manage'), 3)

export const MemberInput = t.shape('TeamMemberInput', { permissions: TeamPermissions, isDisabled: t.flag() })

/** A member of a team. `isDisabled` refers to the membership, `isAccountDisabled` says whether the operator disabled the account. */
export const Member = t.joinShapes(
  'TeamMember',
  t.shape({
    _id: t.id(),
    ...account,
    createdAt: t.instant(),
    lastSeenAt: t.orNull(t.instant()),
    isAccountDisabled: t.flag(),
    isSetUp: t.withDescription('Whether the person has chosen a password.', t.flag()),
  }),
  MemberInput,
)

export const Members = t.shape('TeamMembers', { users: t.list(Member) })

export const InvitationInput = t.shape('InvitationInput', {
  email: t.email(),
  name: t.oneLine(1, 100),
  language: t.maybe(t.withDescription('Of the invitation, and of later e-mails to a new account.', t.language())),
  permissions: t.maybe(TeamPermissions),
})

export const Invitation = t.joinShapes(
  'Invitation',
  Member,
  t.shape({
    setupUrl: t.withDescription('Null if the person has set up an account already.', t.orNull(t.text(1, 1000))),
  }),
)
