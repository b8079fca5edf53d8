import {
  day,
  either,
  flag,
  id,
  instant,
  joinShapes,
  keyed,
  language,
  list,
  maybe,
  type Of,
  oneLine,
  oneOf,
  orNull,
  partial,
  shape,
  text,
  textWithSpaces,
  whole,
  withDescription,
  zone,
} from '#wire/words'

/** The wearables and devices a trial can connect (docs/decisions.md, "Outside services"). */
export const providers = ['fitbit', 'garmin', 'dexcom'] as const

const word = () => orNull(text(0, 100))
const line = () => orNull(text(0, 500))
const passage = () => orNull(text(0, 10_000))
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

/** What people who withdraw may choose for their data. */
/** The acts that can need a second person. */
export const secondActs = ['unlocking', 'unblinding', 'erasure'] as const

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
    orNull(list(text(2, 2, { pattern: '^[A-Z]{2}$', problem: 'Must be two capital letters, such as DE.' }), 250)),
  ),
  responseSigningEnabled: flag(),
  signersOnly: withDescription(
    'Only people with trial.signStudyData sign. On for new trials; off, whoever writes study data signs too. Changed with trial.admin.',
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

/** The fields that have columns of their own. */
export const TrialColumns = shape('TrialColumns', {
  name: oneLine(2, 500),
  code: text(2, 100, {
    pattern: '^\\S(?:.*\\S)?$',
    problem: 'Must be 2 to 100 characters, without space around them.',
  }),
  description: passage(),
  timezone: orNull(zone()),
  behindScheduleNotices: withDescription(
    'The channels of notices about forms that are behind schedule and still open. If the list is empty, none are sent.',
    list(oneOf('push', 'sms', 'whatsapp', 'email'), 4),
  ),
  restrictRegistration: flag(),
  isArchived: flag(),
  isLocked: flag(),
  isDatabaseLocked: flag(),
})

/** Every settable field of a trial but its password. */
export const TrialFields = joinShapes('TrialFields', TrialColumns, TrialSettings)
export type TrialFields = Of<typeof TrialFields>
export type TrialSettings = Of<typeof TrialSettings>

export const TrialChange = partial(
  joinShapes(
    'TrialInput',
    TrialFields,
    shape({
      password: withDescription('Participants may sign in with it; null removes it.', orNull(textWithSpaces(1, 200))),
    }),
  ),
)
export type TrialChange = Of<typeof TrialChange>

const counts = {
  participantCount: whole(0),
  dataTypeCount: whole(0),
  stageCount: whole(0),
  responseCount: whole(0),
  hasUnreadMessages: flag(),
}

const TimelineUpdate = shape('TimelineUpdate', {
  jobId: withDescription('Follow it with GET /jobs/:jobId. Null if another account made the change.', orNull(id())),
  progress: withDescription('How far it is, in words.', text(0, 200)),
})

const TrialSummary = shape('TrialSummary', {
  _id: id(),
  name: oneLine(2, 500),
  createdAt: instant(),
  isArchived: flag(),
  ...counts,
})

export const TrialSummaries = shape('TrialSummaries', { trials: list(TrialSummary) })

export const Trial = joinShapes(
  'Trial',
  shape({ _id: id(), createdAt: instant(), team: id() }),
  joinShapes(
    TrialFields,
    shape({
      passwordSet: flag(),
      sponsorLogoUrl: withDescription('Shows the logo for one hour.', orNull(text(0, 4000))),
      ...counts,
      timelineUpdate: withDescription(
        'Present while a job recalculates the timelines after a change of the configuration, else null.',
        orNull(TimelineUpdate),
      ),
    }),
  ),
)

export const TrialCreation = shape('TrialCreation', {
  name: maybe(
    withDescription('Required, except with creationType=build, which can take it from the documents.', oneLine(2, 500)),
  ),
  description: maybe(passage()),
  restrictRegistration: maybe(flag()),
  copyFrom: maybe(withDescription('The trial whose configuration is copied.', id())),
  prompt: maybe(withDescription('For creationType=build: a description of the trial.', text(1, 50_000))),
  files: maybe(
    withDescription(
      'For creationType=build: stored names of documents that were uploaded for the team or for you.',
      list(text(1, 200), 20),
    ),
  ),
})
export type TrialCreation = Of<typeof TrialCreation>
