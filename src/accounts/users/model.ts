import { features as featureNames } from '#access/keys'
import * as t from '#wire/schema'
import { enteredPassword, newPassword } from './passwords'
import { code } from './totp'

/** Every feature, on or off (docs/contract.md, "Callers"). */
export const Features = t.shape(
  'Features',
  Object.fromEntries(featureNames.map((name) => [name, t.flag()])) as Record<
    (typeof featureNames)[number],
    ReturnType<typeof t.flag>
  >,
)

/** Permissions, by the `_id` of the trial, site or group to which they apply. */
export const Permissions = t.keyed(t.list(t.text(1, 100), 200))

const Membership = t.shape('Membership', {
  _id: t.id(),
  name: t.oneLine(1, 100),
  permissions: t.list(t.text(1, 100)),
  features: Features,
})

const UserRole = t.shape('GivenRole', { _id: t.id(), trial: t.id(), name: t.oneLine(1, 100), permissions: Permissions })

/** Fields of a person that all models of people share, so that what one operation sets is known to the others. */
export const account = { name: t.oneLine(1, 100), email: t.text(1, 200) }

/** The language of e-mails to a person. */
const ownLanguage = () =>
  t.withDescription('Of e-mails to you; null for that of the trial, else English.', t.orNull(t.language()))

/** See docs/permissions.md. `permissions` are those given directly; `roles` and `teams` list the permissions they give. */
export const User = t.shape('User', {
  _id: t.id(),
  ...account,
  language: ownLanguage(),
  isDisabled: t.flag(),
  createdAt: t.instant(),
  lastSeenAt: t.orNull(t.instant()),
  teams: t.list(Membership),
  permissions: Permissions,
  roles: t.list(UserRole),
})

/** A new password needs the current one, and a code if two-step sign-in is on. */
export const OwnUserInput = t.partial(
  t.shape('OwnUserInput', {
    name: t.oneLine(1, 100),
    language: ownLanguage(),
    password: newPassword(),
    currentPassword: enteredPassword(),
    code: code(),
  }),
)

const totpState = {
  isOn: t.flag(),
  recoveryCodesLeft: t.withDescription('How many recovery codes have not been used yet.', t.whole(0)),
}
export const TotpState = t.shape('TotpState', totpState)
/** Each of the codes works once, in place of a code of the authenticator. */
const recoveryCodes = { recoveryCodes: t.list(t.text(12, 20)) }
export const RecoveryCodes = t.shape('RecoveryCodes', recoveryCodes)
export const TotpEnabled = t.shape('TotpEnabled', { ...totpState, ...recoveryCodes })
export const TotpSecret = t.shape('TotpSecret', { secret: t.text(16, 64), otpauthUrl: t.text(10, 1000) })
export const TotpProof = t.shape('TotpProof', { password: enteredPassword(), code: code() })

export const EmailChange = t.shape('EmailChange', {
  email: t.email(),
  password: enteredPassword(),
  code: t.maybe(t.withDescription('Of the authenticator, or a recovery code, if two-step sign-in is on.', code())),
})
export const EmailChangeAsked = t.shape('EmailChangeAsked', {
  email: t.text(1, 200),
  expiresAt: t.withDescription('When the code ends.', t.instant()),
  sendsEmail: t.withDescription('If not, the operator of the server can change the address.', t.flag()),
})
export const EmailCode = t.shape('EmailCode', { code: t.textWithSpaces(1, 20) })
export const EmailChangeChecked = t.shape('EmailChangeChecked', {
  isChanged: t.flag(),
  triesLeft: t.whole(0, 5),
  email: t.withDescription('Of the account now.', t.text(1, 200)),
})

export const ApiKeyInput = t.shape('ApiKeyInput', {
  name: t.oneLine(1, 100),
  expiresAt: t.maybe(t.orNull(t.instant())),
  isReadOnly: t.maybe(t.withDescription('It can send GET requests only.', t.flag())),
  trials: t.maybe(
    t.withDescription(
      'The only trials that it reaches; it then reaches no teams. Null for all that you reach, now and later.',
      t.orNull(t.list(t.id(), 1000, 1)),
    ),
  ),
})

export const ApiKey = t.shape('ApiKey', {
  _id: t.id(),
  createdAt: t.instant(),
  name: t.oneLine(1, 100),
  prefix: t.text(1, 20),
  isReadOnly: t.flag(),
  trials: t.orNull(t.list(t.id(), 1000)),
  expiresAt: t.orNull(t.instant()),
  lastUsedAt: t.orNull(t.instant()),
  lastAddress: t.orNull(t.text(1, 100)),
  suspendedAt: t.withDescription(
    'When a restored backup brought the key back. It is refused until it is confirmed.',
    t.orNull(t.instant()),
  ),
})

export const ApiKeys = t.shape('ApiKeys', {
  apiKeys: t.list(ApiKey),
  trials: t.withDescription(
    'Those to which you can limit a key.',
    t.list(t.shape('ApiKeyTrial', { _id: t.id(), name: t.oneLine(1, 500), code: t.text(1, 100) }), 1_000_000),
  ),
})

/** The only response that contains the key itself. */
export const NewApiKey = t.joinShapes('NewApiKey', ApiKey, t.shape({ key: t.text(47, 47) }))

export const Setup = t.shape('AccountSetup', {
  email: t.orNull(t.text(1, 200)),
  name: t.orNull(t.oneLine(1, 100)),
  purpose: t.oneOf('first', 'invitation', 'reset'),
  expiresAt: t.instant(),
  team: t.withDescription('The team to which an invitation leads.', t.orNull(t.text(1, 100))),
  invitedBy: t.withDescription(
    'Who sent the invitation; null if the operator of the server did.',
    t.orNull(t.text(1, 200)),
  ),
})

/** The first account must also give its e-mail address and the name of its team. */
export const SetupInput = t.shape('AccountSetupInput', {
  name: t.maybe(t.oneLine(1, 100)),
  password: newPassword(),
  email: t.maybe(t.email()),
  team: t.maybe(t.text(2, 100)),
})

export const SetupResult = t.shape('AccountSetupResult', {
  _id: t.id(),
  name: t.oneLine(1, 100),
  email: t.text(1, 200),
})
