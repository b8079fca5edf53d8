/** The settings of a trial on the wire. */
import { reason } from '#kernel/refusals/reason'
import {
  day,
  either,
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
  partial,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

const word = () => orNull(text(0, 100))
const line = () => orNull(text(0, 500))
/** Text of several lines. */
export const passage = () => orNull(text(0, 10_000))
const date = () => maybe(orNull(either(day(), instant())))

/** One approval of a trial, by an ethics committee or an authority. */
const Approval = shape('TrialApproval', {
  id: oneLine(1, 100),
  type: maybe(word()),
  status: maybe(word()),
  submissionDate: date(),
  approvalDate: date(),
  reference: maybe(line()),
  addressLine1: maybe(line()),
  addressLine2: maybe(line()),
  addressCity: maybe(line()),
  addressPostCode: maybe(word()),
  addressCountry: maybe(word()),
  contactName: maybe(orNull(oneLine(0, 500))),
  contactEmail: maybe(line()),
  contactPhone: maybe(word()),
})

const providerGroups = () =>
  withDescription('Only participants of these groups; null for the whole trial.', orNull(list(id(), 1000)))

/** The keys of consent forms (docs/consent.md, "Where a consent is required"). */
export const formKeys = () => list(text(1, 50), 50)

/** The acts that can need a second person. */
export const secondActs = ['unlocking', 'unblinding', 'erasure'] as const

/** What people who withdraw may choose for their data. */
export const withdrawalChoices = ['keep', 'erasePersonalInformation', 'deleteAnswers'] as const

const afterWithdrawal = (description: string) => maybe(withDescription(`${description} The default is true.`, flag()))

/** See docs/consent.md, "After a withdrawal". */
const OnConsentWithdrawal = shape('OnConsentWithdrawal', {
  stopForms: afterWithdrawal('Nothing more is taken from the participant.'),
  stopMessages: afterWithdrawal('They get no more messages but those that somebody writes to them.'),
  task: afterWithdrawal('A task for the study team.'),
})

/** The fields that are stored together in the trial's `settings`. */
export const TrialSettings = shape('TrialSettings', {
  scientificName: line(),
  studyAcronym: line(),
  sponsor: line(),
  sponsorLogo: withDescription('The stored name of a file uploaded for this trial.', orNull(text(1, 200))),
  conditions: passage(),
  eudractNumber: word(),
  ctisNumber: word(),
  clinicalTrialsGovNumber: word(),
  protocolNumber: word(),
  approvalNeeded: flag(),
  approvals: list(Approval, 200),
  defaultNotificationTitle: orNull(text(0, 50)),
  languages: withDescription(
    'The languages of the trial. The first is that of messages to people who have none of their own.',
    list(language(), 50),
  ),
  texts: withDescription(
    'Texts that replace those of the service, by language and key (docs/messages.md, "Languages").',
    keyed(keyed(text(1, 2000))),
  ),
  translations: withDescription(
    'The texts of the trial itself in its other languages (docs/translations.md).',
    orNull(
      keyed(
        partial(shape({ name: oneLine(2, 500), description: text(0, 10_000), defaultNotificationTitle: text(0, 50) })),
      ),
    ),
  ),
  participantPasswordMinLength: withDescription(
    'The least number of characters of a new password of a participant; null for none.',
    orNull(whole(1, 200)),
  ),
  enableLookback: flag(),
  signOffNoteRequired: flag(),
  eConsentEnabled: flag(),
  eConsentClosed: flag(),
  requiresConsent: withDescription(
    'The keys of consent forms: without a valid consent with each of them nothing is entered, imported or allocated.',
    formKeys(),
  ),
  onConsentWithdrawal: withDescription(
    'What happens when somebody has withdrawn all their consents.',
    OnConsentWithdrawal,
  ),
  consentWithdrawalChoices: withDescription(
    'What somebody who withdraws may choose for their data.',
    list(oneOf(...withdrawalChoices), 3, 1),
  ),
  codesPerDay: withDescription(
    'The most codes that the trial sends in a day of its zone, by all channels.',
    whole(1, 100_000),
  ),
  codeCountries: withDescription(
    'The countries (ISO 3166) to whose telephone numbers codes are sent. Null for the country of the time zone of the trial; an empty list for all.',
    orNull(list(text(2, 2, { pattern: '^[A-Z]{2}$', problem: reason('notCountryCode') }), 250)),
  ),
  responseSigningEnabled: flag(),
  signersOnly: withDescription(
    'Only people with trial.signStudyData sign. On for new trials; off, people who write study data can sign too. Changed with trial.admin.',
    flag(),
  ),
  blindsAdmins: withDescription(
    'trial.admin gives neither trial.readRandomisation nor trial.unblindParticipants (docs/permissions.md, "Blinded administrators"). Changed with trial.admin and a fresh confirmation.',
    flag(),
  ),
  secondPerson: withDescription(
    'The acts that a second person must confirm (docs/permissions.md, "A second person"). Changed with trial.admin and a fresh confirmation; taking an act out must itself be confirmed.',
    list(oneOf(...secondActs), 3),
  ),
  signaturesRequiredForLock: flag(),
  signatureMeanings: list(text(1, 200), 50),
  fitbitEnabled: flag(),
  fitbitGroups: providerGroups(),
  fitbitConnectionReminders: flag(),
  garminEnabled: flag(),
  garminGroups: providerGroups(),
  garminConnectionReminders: flag(),
  dexcomEnabled: flag(),
  dexcomGroups: providerGroups(),
  dexcomConnectionReminders: flag(),
  foodDiariesEnabled: flag(),
  foodDiaryDataSource: oneOf('usda'),
  smartAutomaticQueriesEnabled: flag(),
  smartAutomaticQueryAssignees: list(id(), 100),
  smartAutomaticQueryInstructions: passage(),
  participantInsightsEnabled: flag(),
  trialInsightsEnabled: flag(),
  showsReads: withDescription('Whether participants may list who has read something about them.', flag()),
  readsKept: withDescription('For how many years the trail of reads is kept; 6 by default.', whole(1, 100)),
  lockJustification: withDescription('Why the lock was last turned on or off.', orNull(text(10, 200))),
  databaseLockJustification: withDescription('Why the lock was last turned on or off.', orNull(text(10, 200))),
})
export type TrialSettings = ValueOf<typeof TrialSettings>
