import { account, Features } from '#accounts/users/model'
import {
  email,
  flag,
  id,
  instant,
  joinShapes,
  language,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

/** Features that are left out do not change. */
const FeatureSwitches = partial(Features)

/** See docs/participants.md, "The limit of a team". */
export const TeamInput = shape('TeamInput', {
  name: oneLine(2, 100),
  features: FeatureSwitches,
  participantLimit: withDescription(
    'The most participants in all trials together; null: no limit.',
    orNull(whole(0, 100_000_000)),
  ),
  deletionGraceDays: withDescription(
    'For how many days what is deleted is kept hidden, and can be restored; 0: it is purged at once.',
    whole(0, 3650),
  ),
})

export const Team = shape('Team', {
  _id: id(),
  name: oneLine(1, 100),
  features: Features,
  participantLimit: orNull(whole(0)),
  participantCount: whole(0),
  deletionGraceDays: whole(0),
  lowerGraceDays: withDescription(
    'A lower number of days that an administrator asked for, and that another must confirm by sending it too; null if there is none.',
    orNull(whole(0)),
  ),
})

export const Teams = shape('Teams', { teams: list(Team) })

export const ServerClock = shape('ServerClock', {
  now: withDescription('The time that the server uses from now on.', instant()),
})

/** The permissions that a member can have on a team (docs/permissions.md). */
export const TeamPermissions = list(oneOf('team.admin', 'trials.create', 'trials.manage'), 3)

export const MemberInput = shape('TeamMemberInput', { permissions: TeamPermissions, isDisabled: flag() })

/** A member of a team. `isDisabled` refers to the membership, `isAccountDisabled` says whether the operator disabled the account. */
export const Member = joinShapes(
  'TeamMember',
  shape({
    _id: id(),
    ...account,
    createdAt: instant(),
    lastSeenAt: orNull(instant()),
    isAccountDisabled: flag(),
    isSetUp: withDescription('Whether the person has chosen a password.', flag()),
  }),
  MemberInput,
)

export const Members = shape('TeamMembers', { users: list(Member) })

export const InvitationInput = shape('InvitationInput', {
  email: email(),
  name: oneLine(1, 100),
  language: maybe(withDescription('Of the invitation, and of later e-mails to a new account.', language())),
  permissions: maybe(TeamPermissions),
})

export const Invitation = joinShapes(
  'Invitation',
  Member,
  shape({ setupUrl: withDescription('Null if the person has set up an account already.', orNull(text(1, 1000))) }),
)
