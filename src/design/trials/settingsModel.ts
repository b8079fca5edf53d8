/** The settings of a trial on the wire. */
import { reason } from '#kernel/refusals/reason'
import * as t from '#wire/schema'

const word = () => t.orNull(t.text(0, 100))
const line = () => t.orNull(t.text(0, 500))
/** Text of several lines. */
export const passage = () => t.orNull(t.text(0, 10_000))
const date = () => t.maybe(t.orNull(t.either(t.day(), t.instant())))

/** One approval of a trial, by an ethics committee or an authority. */
const Approval = t.shape('TrialApproval', {
  id: t.oneLine(1, 100),
  type: t.maybe(word()),
  status: t.maybe(word()),
  submissionDate: date(),
  approvalDate: date(),
  reference: t.maybe(line()),
  addressLine1: t.maybe(line()),
  addressLine2: t.maybe(line()),
  addressCity: t.maybe(line()),
  addressPostCode: t.maybe(word()),
  addressCountry: t.maybe(word()),
  contactName: t.maybe(t.orNull(t.oneLine(0, 500))),
  contactEmail: t.maybe(line()),
  contactPhone: t.maybe(word()),
})

const providerGroups = () =>
  t.withDescription('Only participants of these groups; null for the whole trial.', t.orNull(t.list(t.id(), 1000)))

/** The keys of consent forms (docs/consent.md, "Where a consent is required"). */
export const formKeys = () => t.list(t.text(1, 50), 50)

/** The acts that can need a second person. */
export const secondActs = ['unlocking', 'unblinding', 'erasure'] as const

/** What people who withdraw may choose for their data. */
export const withdrawalChoices = ['keep', 'erasePersonalInformation', 'deleteAnswers'] as const

const afterWithdrawal = (description: string) =>
  t.maybe(t.withDescription(`${description} The default is true.`, t.flag()))

/** See docs/consent.md, "After a withdrawal". */
const OnConsentWithdrawal = t.shape('OnConsentWithdrawal', {
  stopForms: afterWithdrawal('Nothing more is taken from the participant.'),
  stopMessages: afterWithdrawal('They get no more messages but those that somebody writes to them.'),
  task: afterWithdrawal('A task for the study team.'),
})

/** The fields that are stored together in the trial's `settings`. */
export const TrialSettings = t.shape('TrialSettings', {
  scientificName: line(),
  studyAcronym: line(),
  sponsor: line(),
  sponsorLogo: t.withDescription('The stored name of a file uploaded for this trial.', t.orNull(t.text(1, 200))),
  conditions: passage(),
  eudractNumber: word(),
  ctisNumber: word(),
  clinicalTrialsGovNumber: word(),
  protocolNumber: word(),
  approvalNeeded: t.flag(),
  approvals: t.list(Approval, 200),
  defaultNotificationTitle: t.orNull(t.text(0, 50)),
  languages: t.withDescription(
    'The languages of the trial. The first is that of messages to people who have none of their own.',
    t.list(t.language(), 50),
  ),
  texts: t.withDescription(
    'Texts that replace those of the service, by language and key (docs/messages.md, "Languages").',
    t.keyed(t.keyed(t.text(1, 2000))),
  ),
  translations: t.withDescription(
    'The texts of the trial itself in its other languages (docs/translations.md).',
    t.orNull(
      t.keyed(
        t.partial(
          t.shape({ name: t.oneLine(2, 500), description: t.text(0, 10_000), defaultNotificationTitle: t.text(0, 50) }),
        ),
      ),
    ),
  ),
  participantPasswordMinLength: t.withDescription(
    'The least number of characters of a new password of a participant; null for none.',
    t.orNull(t.whole(1, 200)),
  ),
  enableLookback: t.flag(),
  signOffNoteRequired: t.flag(),
  eConsentEnabled: t.flag(),
  eConsentClosed: t.flag(),
  requiresConsent: t.withDescription(
    'The keys of consent forms: without a valid consent with each of them nothing is entered, imported or allocated.',
    formKeys(),
  ),
  onConsentWithdrawal: t.withDescription(
    'What happens when somebody has withdrawn all their consents.',
    OnConsentWithdrawal,
  ),
  consentWithdrawalChoices: t.withDescription(
    'What somebody who withdraws may choose for their data.',
    t.list(t.oneOf(...withdrawalChoices), 3, 1),
  ),
  codesPerDay: t.withDescription(
    'The most codes that the trial sends in a day of its zone, by all channels.',
    t.whole(1, 100_000),
  ),
  codeCountries: t.withDescription(
    'The countries (ISO 3166) to whose telephone numbers codes are sent. Null for the country of the time zone of the trial; an empty list for all.',
    t.orNull(t.list(t.text(2, 2, { pattern: '^[A-Z]{2}$', problem: reason('notCountryCode') }), 250)),
  ),
  responseSigningEnabled: t.flag(),
  signersOnly: t.withDescription(
    'Only people with trial.signStudyData sign. On for new trials; off, people who write study data can sign too. Changed with trial.admin.',
    t.flag(),
  ),
  blindsAdmins: t.withDescription(
    'trial.admin gives neither trial.readRandomisation nor trial.unblindParticipants (docs/permissions.md, "Blinded administrators"). Changed with trial.admin and a fresh confirmation.',
    t.flag(),
  ),
  secondPerson: t.withDescription(
    'The acts that a second person must confirm (docs/permissions.md, "A second person"). Changed with trial.admin and a fresh confirmation; taking an act out must itself be confirmed.',
    t.list(t.oneOf(...secondActs), 3),
  ),
  signaturesRequiredForLock: t.flag(),
  signatureMeanings: t.list(t.text(1, 200), 50),
  fitbitEnabled: t.flag(),
  fitbitGroups: providerGroups(),
  fitbitConnectionReminders: t.flag(),
  garminEnabled: t.flag(),
  garminGroups: providerGroups(),
  garminConnectionReminders: t.flag(),
  dexcomEnabled: t.flag(),
  dexcomGroups: providerGroups(),
  dexcomConnectionReminders: t.flag(),
  foodDiariesEnabled: t.flag(),
  foodDiaryDataSource: t.oneOf('usda'),
  smartAutomaticQueriesEnabled: t.flag(),
  smartAutomaticQueryAssignees: t.list(t.id(), 100),
  smartAutomaticQueryInstructions: passage(),
  participantInsightsEnabled: t.flag(),
  trialInsightsEnabled: t.flag(),
  showsReads: t.withDescription('Whether participants may list who has read something about them.', t.flag()),
  readsKept: t.withDescription('For how many years the trail of reads is kept; 6 by default.', t.whole(1, 100)),
  lockJustification: t.withDescription('Why the lock was last turned on or off.', t.orNull(t.text(10, 200))),
  databaseLockJustification: t.withDescription('Why the lock was last turned on or off.', t.orNull(t.text(10, 200))),
})
export type TrialSettings = t.ValueOf<typeof TrialSettings>
