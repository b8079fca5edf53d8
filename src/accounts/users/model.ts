import { features as featureNames } from '#access/keys'
import {
  email,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  language,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
} from '#wire/schema'
import { enteredPassword, newPassword } from './passwords'
import { code } from './totp'

/** Every feature, on or off (docs/contract.md, "Callers"). */
export const Features = shape(
  'Features',
  Object.fromEntries(featureNames.map((name) => [name, flag()])) as Record<
    (typeof featureNames)[number],
    ReturnType<typeof flag>
  >,
)

/** Permissions, by the `_id` of the trial, site or group to which they apply. */
export const Permissions = keyed(list(text(1, 100), 200))

const Membership = shape('Membership', {
  _id: id(),
  name: oneLine(1, 100),
  permissions: list(text(1, 100)),
  features: Features,
})

const UserRole = shape('GivenRole', { _id: id(), trial: id(), name: oneLine(1, 100), permissions: Permissions })

/** Fields of a person that all models of people share, so that what one operation sets is known to the others. */
export const account = { name: oneLine(1, 100), email: text(1, 200) }

/** The language of e-mails to a person. */
export const ownLanguage = () =>
  withDescription('Of e-mails to you; null for that of the trial, else English.', orNull(language()))

/** See docs/permissions.md. `permissions` are those given directly; `roles` and `teams` list the permissions they give. */
export const User = shape('User', {
  _id: id(),
  ...account,
  language: ownLanguage(),
  isDisabled: flag(),
  createdAt: instant(),
  lastSeenAt: orNull(instant()),
  teams: list(Membership),
  permissions: Permissions,
  roles: list(UserRole),
})

/** A new password needs the current one, and a code if two-step sign-in is on. */
export const OwnUserInput = partial(
  shape('OwnUserInput', {
    name: oneLine(1, 100),
    language: ownLanguage(),
    password: newPassword(),
    currentPassword: enteredPassword(),
    code: code(),
  }),
)

const totpState = {
  isOn: flag(),
  recoveryCodesLeft: withDescription('How many recovery codes have not been used yet.', whole(0)),
}
export const TotpState = shape('TotpState', totpState)
/** Each of the codes works once, in place of a code of the authenticator. */
const recoveryCodes = { recoveryCodes: list(text(12, 20)) }
export const RecoveryCodes = shape('RecoveryCodes', recoveryCodes)
export const TotpEnabled = shape('TotpEnabled', { ...totpState, ...recoveryCodes })
export const TotpSecret = shape('TotpSecret', { secret: text(16, 64), otpauthUrl: text(10, 1000) })
export const TotpProof = shape('TotpProof', { password: enteredPassword(), code: code() })

export const EmailChange = shape('EmailChange', {
  email: email(),
  password: enteredPassword(),
  code: maybe(withDescription('Of the authenticator, or a recovery code, if two-step sign-in is on.', code())),
})
export const EmailChangeAsked = shape('EmailChangeAsked', {
  email: text(1, 200),
  expiresAt: withDescription('When the code ends.', instant()),
  sendsEmail: withDescription('If not, the operator of the server can change the address.', flag()),
})
export const EmailCode = shape('EmailCode', { code: textWithSpaces(1, 20) })
export const EmailChangeChecked = shape('EmailChangeChecked', {
  isChanged: flag(),
  triesLeft: whole(0, 5),
  email: withDescription('Of the account now.', text(1, 200)),
})

export const ApiKeyInput = shape('ApiKeyInput', {
  name: oneLine(1, 100),
  expiresAt: maybe(orNull(instant())),
  isReadOnly: maybe(withDescription('It can send GET requests only.', flag())),
  trials: maybe(
    withDescription(
      'The only trials that it reaches; it then reaches no teams. Null for all that you reach, now and later.',
      orNull(list(id(), 1000, 1)),
    ),
  ),
})

export const ApiKey = shape('ApiKey', {
  _id: id(),
  createdAt: instant(),
  name: oneLine(1, 100),
  prefix: text(1, 20),
  isReadOnly: flag(),
  trials: orNull(list(id(), 1000)),
  expiresAt: orNull(instant()),
  lastUsedAt: orNull(instant()),
  lastAddress: orNull(text(1, 100)),
  suspendedAt: withDescription(
    'When a restored backup brought the key back. It is refused until it is confirmed.',
    orNull(instant()),
  ),
})

export const ApiKeys = shape('ApiKeys', {
  apiKeys: list(ApiKey),
  trials: withDescription(
    'Those to which you can limit a key.',
    list(shape('ApiKeyTrial', { _id: id(), name: oneLine(1, 500), code: text(1, 100) }), 1_000_000),
  ),
})

/** The only response that contains the key itself. */
export const NewApiKey = joinShapes('NewApiKey', ApiKey, shape({ key: text(47, 47) }))

export const Setup = shape('AccountSetup', {
  email: orNull(text(1, 200)),
  name: orNull(oneLine(1, 100)),
  purpose: oneOf('first', 'invitation', 'reset'),
  expiresAt: instant(),
  team: withDescription('The team to which an invitation leads.', orNull(text(1, 100))),
  invitedBy: withDescription('Who sent the invitation; null if the operator of the server did.', orNull(text(1, 200))),
})

/** The first account must also give its e-mail address and the name of its team. */
export const SetupInput = shape('AccountSetupInput', {
  name: maybe(oneLine(1, 100)),
  password: newPassword(),
  email: maybe(email()),
  team: maybe(text(2, 100)),
})

export const SetupResult = shape('AccountSetupResult', { _id: id(), name: oneLine(1, 100), email: text(1, 200) })
