import { ConsentNeeded } from '#conduct/consents/required'
import { TextLanguages } from '#design/translations/textLanguages'
import { providers } from '#design/trials/model'
import * as t from '#wire/schema'

export const SignIn = t.shape('ParticipantSignIn', {
  trialCode: t.maybe(
    t.withDescription('The code of the trial. `code` is another name of this field', t.textWithSpaces(1, 100)),
  ),
  code: t.maybe(t.textWithSpaces(1, 100)),
  // Blank or wrong: a sign-in that fails is 401, with one text.
  participantId: t.textWithSpaces(1, 50),
  password: t.withDescription("The participant's own password, or the trial's if it has one", t.text(0, 200)),
  eConsentEmail: t.maybe(t.orNull(t.text(0, 200))),
  eConsentPhone: t.maybe(t.orNull(t.text(0, 40))),
  eConsentCode: t.maybe(t.orNull(t.text(0, 100))),
})

export const Exchange = t.shape('GrantExchange', { grant: t.text(1, 200) })
export const Token = t.shape('ParticipantToken', { token: t.text(1, 100) })

/** A trial as its participants see it. */
export const OwnTrial = t.shape('OwnTrial', {
  _id: t.id(),
  name: t.oneLine(0, 500),
  code: t.text(0, 100),
  sponsor: t.orNull(t.text(0, 10_000)),
  description: t.orNull(t.text(0, 100_000)),
  team: t.shape({ _id: t.id(), name: t.oneLine(0, 500) }),
  languages: t.withDescription(
    'The languages in which a participant can be answered; the first is that of the texts themselves.',
    t.list(t.language(), 50),
  ),
  features: t.withDescription('Which features are on in this trial', t.keyed(t.flag())),
  pushPublicKey: t.withDescription(
    'The VAPID key with which a browser subscribes; null if push notifications are off',
    t.orNull(t.text(1, 200)),
  ),
})

/**
 * A participant as they see themselves. Groups are left out, as they may reveal a blinded arm. Personal information is left
 * out, as staff without the permission to see it can sign in as the participant (docs/participants.md, "What participants see").
 */
const OwnParticipant = t.shape('OwnParticipant', {
  _id: t.id(),
  id: t.oneLine(1, 50),
  createdAt: t.instant(),
  pushAvailable: t.flag(),
  emailAvailable: t.flag(),
  smsAvailable: t.flag(),
  whatsappAvailable: t.flag(),
  timezone: t.orNull(t.zone()),
  language: t.withDescription('Of messages to them; null for that of the trial', t.orNull(t.language())),
  isWithdrawn: t.flag(),
})

const line = () => t.orNull(t.text(0, 2000))

const OwnSite = t.shape('OwnSite', {
  _id: t.id(),
  id: t.oneLine(0, 100),
  name: t.oneLine(0, 100),
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
export const Connection = t.shape('WearableConnection', {
  service: t.oneOf(...providers),
  status: t.withDescription(
    'none: never connected. revoked: the provider refuses access, so the participant has to connect again.',
    t.oneOf('none', 'connected', 'revoked', 'disconnected'),
  ),
  connectedAt: t.orNull(t.instant()),
  endedAt: t.orNull(t.instant()),
  scope: t.withDescription('What the participant allowed, in the words of the provider.', t.orNull(t.text(0, 2000))),
  lastSyncAt: t.withDescription('When data was last read from the provider.', t.orNull(t.instant())),
  problem: t.withDescription('Why the last attempt to read failed; null if it did not.', t.orNull(t.text(0, 1000))),
})

/** A consent as its participant sees it. */
const OwnConsent = t.shape('OwnConsent', {
  _id: t.id(),
  createdAt: t.instant(),
  consentDocument: t.id(),
  formName: t.text(0, 200),
  version: t.whole(1),
  fileHash: t.withDescription('The SHA-256 of the PDF that was signed', t.text(64, 64)),
  withdrawnAt: t.orNull(t.instant()),
  isOutdated: t.withDescription('A newer version of the form is to be signed', t.flag()),
  link: t.withDescription('The page on which the newest version of the form is signed', t.text(1, 1000)),
})

export const OwnAccount = t.shape('OwnAccount', {
  participant: OwnParticipant,
  zone: t.withDescription('The zone whose days count: their own, else the trial’s, else UTC', t.zone()),
  pushHere: t.withDescription('Whether push notifications go to the device of this session', t.flag()),
  trial: OwnTrial,
  texts: TextLanguages,
  sites: t.list(OwnSite),
  consents: t.withDescription(
    'Newest first. Without names and documents, as staff can sign in as the participant.',
    t.list(OwnConsent),
  ),
  consentNeeded: t.maybe(
    t.withDescription(
      'The consent of the trial without which nothing is taken; absent if nothing is missing.',
      ConsentNeeded,
    ),
  ),
  connectedServices: t.withDescription(
    'The wearables that are connected, or whose provider has revoked the access.',
    t.list(Connection),
  ),
})

export const OwnChange = t.shape('OwnAccountChange', {
  timezone: t.maybe(t.zone()),
  language: t.maybe(t.orNull(t.language())),
})
