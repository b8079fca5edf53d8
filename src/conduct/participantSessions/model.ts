import { ConsentNeeded } from '#conduct/consents/required'
import { TextLanguages } from '#design/translations/textLanguages'
import { providers } from '#design/trials/model'
import {
  flag,
  id,
  instant,
  keyed,
  language,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
  zone,
} from '#wire/schema'

export const SignIn = shape('ParticipantSignIn', {
  trialCode: maybe(
    withDescription('The code of the trial. `code` is another name of this field', textWithSpaces(1, 100)),
  ),
  code: maybe(textWithSpaces(1, 100)),
  // Blank or wrong: a sign-in that fails is 401, with one text.
  participantId: textWithSpaces(1, 50),
  password: withDescription("The participant's own password, or the trial's if it has one", text(0, 200)),
  eConsentEmail: maybe(orNull(text(0, 200))),
  eConsentPhone: maybe(orNull(text(0, 40))),
  eConsentCode: maybe(orNull(text(0, 100))),
})

export const Exchange = shape('GrantExchange', { grant: text(1, 200) })
export const Token = shape('ParticipantToken', { token: text(1, 100) })

/** A trial as its participants see it. */
export const OwnTrial = shape('OwnTrial', {
  _id: id(),
  name: oneLine(0, 500),
  code: text(0, 100),
  sponsor: orNull(text(0, 10_000)),
  description: orNull(text(0, 100_000)),
  team: shape({ _id: id(), name: oneLine(0, 500) }),
  languages: withDescription(
    'The languages in which a participant can be answered; the first is that of the texts themselves.',
    list(language(), 50),
  ),
  features: withDescription('Which features are on in this trial', keyed(flag())),
  pushPublicKey: withDescription(
    'The VAPID key with which a browser subscribes; null if push notifications are off',
    orNull(text(1, 200)),
  ),
})

/**
 * A participant as they see themselves. Groups are left out, as they may reveal a blinded arm. Personal information is left
 * out, as staff without the permission to see it can sign in as the participant (docs/participants.md, "What participants see").
 */
const OwnParticipant = shape('OwnParticipant', {
  _id: id(),
  id: oneLine(1, 50),
  createdAt: instant(),
  pushAvailable: flag(),
  emailAvailable: flag(),
  smsAvailable: flag(),
  whatsappAvailable: flag(),
  timezone: orNull(zone()),
  language: withDescription('Of messages to them; null for that of the trial', orNull(language())),
  isWithdrawn: flag(),
})

const line = () => orNull(text(0, 2000))

const OwnSite = shape('OwnSite', {
  _id: id(),
  id: oneLine(0, 100),
  name: oneLine(0, 100),
  contactName: line(),
  contactEmail: line(),
  contactPhone: line(),
  addressLine1: line(),
  addressLine2: line(),
  addressCity: line(),
  addressPostCode: line(),
  addressCountry: line(),
})

/** A connection, as staff and the participant see it. */
export const Connection = shape('WearableConnection', {
  service: oneOf(...providers),
  status: withDescription(
    'none: never connected. revoked: the provider refuses access, so the participant has to connect again.',
    oneOf('none', 'connected', 'revoked', 'disconnected'),
  ),
  connectedAt: orNull(instant()),
  endedAt: orNull(instant()),
  scope: withDescription('What the participant allowed, in the words of the provider.', orNull(text(0, 2000))),
  lastSyncAt: withDescription('When data was last read from the provider.', orNull(instant())),
  problem: withDescription('Why the last attempt to read failed; null if it did not.', orNull(text(0, 1000))),
})

/** A consent as its participant sees it. */
const OwnConsent = shape('OwnConsent', {
  _id: id(),
  createdAt: instant(),
  consentDocument: id(),
  formName: text(0, 200),
  version: whole(1),
  fileHash: withDescription('The SHA-256 of the PDF that was signed', text(64, 64)),
  withdrawnAt: orNull(instant()),
  isOutdated: withDescription('A newer version of the form is to be signed', flag()),
  link: withDescription('The page on which the newest version of the form is signed', text(1, 1000)),
})

export const OwnAccount = shape('OwnAccount', {
  participant: OwnParticipant,
  zone: withDescription('The zone whose days count: their own, else the trial’s, else UTC', zone()),
  pushHere: withDescription('Whether push notifications go to the device of this session', flag()),
  trial: OwnTrial,
  texts: TextLanguages,
  sites: list(OwnSite),
  consents: withDescription(
    'Newest first. Without names and documents, as staff can sign in as the participant.',
    list(OwnConsent),
  ),
  consentNeeded: maybe(
    withDescription(
      'The consent of the trial without which nothing is taken; absent if nothing is missing.',
      ConsentNeeded,
    ),
  ),
  connectedServices: withDescription(
    'The wearables that are connected, or whose provider has revoked the access.',
    list(Connection),
  ),
})

export const OwnChange = shape('OwnAccountChange', { timezone: maybe(zone()), language: maybe(orNull(language())) })
