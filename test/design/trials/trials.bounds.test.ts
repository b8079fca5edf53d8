import { expect, test } from 'bun:test'
import { sharedInFile, world } from '../../harness'
import { missingGroup } from './trials.study'

const LONG = 'x'.repeat(10_000)

const line = [null, '', 'x'.repeat(500)]

const word = [null, '', 'x'.repeat(100)]

const flags = [true, false]

const overLine = ['x'.repeat(501), 5]

const overWord = ['x'.repeat(101), 5]

const notFlags = [null, 'true', 1]

/** Every settable field with values that are accepted and values that are 422. */
const bounds: Record<string, [good: unknown[], bad: unknown[]]> = {
  name: [
    ['ab', 'x'.repeat(500)],
    ['a', 'x'.repeat(501), null],
  ],
  code: [
    ['ab', 'x'.repeat(100), 'a b'],
    ['a', 'x'.repeat(101), ' ab', 'ab ', null],
  ],
  description: [
    [null, '', LONG],
    [`${LONG}x`, 5],
  ],
  conditions: [
    [null, '', LONG],
    [`${LONG}x`, 5],
  ],
  scientificName: [line, overLine],
  studyAcronym: [line, overLine],
  sponsor: [line, overLine],
  sponsorLogo: [[null], ['', 'x'.repeat(201)]],
  eudractNumber: [word, overWord],
  ctisNumber: [word, overWord],
  clinicalTrialsGovNumber: [word, overWord],
  protocolNumber: [word, overWord],
  approvalNeeded: [flags, notFlags],
  approvals: [
    [
      [],
      [{ id: 'a' }],
      [
        {
          id: 'a',
          type: 'ethics',
          status: 'approved',
          submissionDate: '2026-01-31',
          approvalDate: '2026-02-01T10:00:00.000000Z',
          reference: 'R/1',
          addressLine1: 'A',
          addressLine2: null,
          addressCity: 'B',
          addressPostCode: 'C',
          addressCountry: 'D',
          contactName: 'E',
          contactEmail: 'e@example.org',
          contactPhone: '+49',
        },
      ],
    ],
    [
      null,
      [{}],
      [{ id: '' }],
      [{ id: 'a', colour: 'red' }],
      [{ id: 'a', submissionDate: '2026-02-30' }],
      Array(201).fill({ id: 'a' }),
    ],
  ],
  defaultNotificationTitle: [[null, '', 'x'.repeat(50)], ['x'.repeat(51)]],
  languages: [
    [[], ['de', 'pt-BR'], Array.from({ length: 50 }, (_, at) => `en-${100 + at}`)],
    [null, ['german'], ['DE'], [''], ['en', 'en'], Array.from({ length: 51 }, (_, at) => `en-${100 + at}`)],
  ],
  texts: [
    [{}, { de: {} }, { de: { 'submission.attention': 'x'.repeat(2000) } }],
    [
      null,
      [],
      { de: null },
      { de: { 'submission.attention': '' } },
      { de: { 'submission.attention': 'x'.repeat(2001) } },
    ],
  ],
  translations: [
    [null, {}],
    [[], { en: null }, { en: { name: 'x' } }, { en: { sponsor: 'xx' } }, { en: { description: 'x'.repeat(10_001) } }],
  ],
  restrictRegistration: [flags, notFlags],
  participantPasswordMinLength: [
    [null, 1, 200],
    [0, 201, 1.5, '8'],
  ],
  enableLookback: [flags, notFlags],
  signOffNoteRequired: [flags, notFlags],
  eConsentEnabled: [flags, notFlags],
  eConsentClosed: [flags, notFlags],
  requiresConsent: [[[]], [null, 'main', ['none'], [''], ['x'.repeat(51)], Array(51).fill('main'), ['\ud83d']]],
  onConsentWithdrawal: [
    [{ stopForms: false, stopMessages: false, task: false }],
    [null, [], { stopForms: 1 }, { stop: true }],
  ],
  consentWithdrawalChoices: [
    [['keep', 'erasePersonalInformation', 'deleteAnswers'], ['deleteAnswers']],
    [null, [], ['other'], Array(4).fill('keep')],
  ],
  codesPerDay: [
    [1, 100_000],
    [null, 0, 100_001, 1.5, '8'],
  ],
  codeCountries: [
    [null, [], ['DE', 'AT']],
    ['DE', ['de'], ['ZZ'], ['D'], Array(251).fill('DE'), ['\ud83d']],
  ],
  responseSigningEnabled: [flags, notFlags],
  // To change them needs trial.admin: test/conduct/review/reviewers.test.ts and test/office/randomisation/blindAdmins.test.ts.
  signersOnly: [[false], notFlags],
  blindsAdmins: [[false], notFlags],
  secondPerson: [[[]], [null, 'erasure', ['unblinding', 'other'], Array(4).fill('erasure'), ['\ud83d']]],
  signaturesRequiredForLock: [flags, notFlags],
  signatureMeanings: [
    [[], ['I wrote this', 'x'.repeat(200)], Array(50).fill('Approved')],
    [null, [''], ['x'.repeat(201)], Array(51).fill('A')],
  ],
  ...Object.fromEntries(
    ['fitbit', 'garmin', 'dexcom'].flatMap((provider) => [
      [`${provider}Enabled`, [flags, notFlags]],
      [
        `${provider}Groups`,
        [
          [null, []],
          ['x', ['x'], 5],
        ],
      ],
      [`${provider}ConnectionReminders`, [flags, notFlags]],
    ]),
  ),
  foodDiariesEnabled: [flags, notFlags],
  foodDiaryDataSource: [['usda'], ['other', null, '']],
  smartAutomaticQueriesEnabled: [flags, notFlags],
  smartAutomaticQueryAssignees: [[[]], [null, ['x'], Array(101).fill(missingGroup)]],
  smartAutomaticQueryInstructions: [[null, '', LONG], [`${LONG}x`]],
  participantInsightsEnabled: [flags, notFlags],
  trialInsightsEnabled: [flags, notFlags],
  showsReads: [flags, notFlags],
  readsKept: [
    [1, 6, 100],
    [0, 101, 1.5, null, '6'],
  ],
  timezone: [
    [null, 'Europe/Berlin', 'UTC'],
    ['Mars/Olympus', '', '+02:00'],
  ],
  behindScheduleNotices: [
    [[], ['sms'], ['push', 'sms', 'whatsapp', 'email']],
    [null, 'email', ['letter'], ['push', 'sms', 'whatsapp', 'email', 'push']],
  ],
  isArchived: [flags, notFlags],
  password: [
    ['x', 'x'.repeat(200), null],
    ['', 'x'.repeat(201), 5],
  ],
  isLocked: [[false], notFlags],
  isDatabaseLocked: [[false], notFlags],
  lockJustification: [[null], ['x'.repeat(9), 'x'.repeat(201), 5]],
  databaseLockJustification: [[null], ['x'.repeat(9), 'x'.repeat(201), 5]],
}

test('the table of bounds has every settable field', async () => {
  const { TrialChange } = await import('#design/trials/model')
  expect(Object.keys(bounds).sort()).toEqual(Object.keys(TrialChange.properties).sort())
})

/** Fields that only who administers the trial changes. */
const ofAdmins = [
  ...['requiresConsent', 'onConsentWithdrawal', 'consentWithdrawalChoices', 'codesPerDay', 'codeCountries'],
  ...['showsReads', 'readsKept'],
]

const shared = sharedInFile(() => world())

test.each(Object.entries(bounds))('%s accepts only values within its bounds', async (field, [good, bad]) => {
  const w = await shared()
  const id = w.trial()
  const writer = w.staff(id, [ofAdmins.includes(field) ? 'trial.admin' : 'trial.write'])
  for (const value of good) {
    const after = await writer.do('updateTrial', id, { [field]: value })
    if (field === 'password') expect([after.passwordSet, 'password' in after]).toEqual([value !== null, false])
    else expect<unknown[]>(Object.entries(after)).toContainEqual([field, value])
    expect(await writer.do('readTrial', id)).toEqual(after)
  }
  const before = await writer.do('readTrial', id)
  for (const value of bad) {
    const { status, body } = await writer.call('PUT', `/trials/${id}`, { [field]: value })
    expect([value, status, Object.keys(body.validations?.json ?? {})]).toEqual([value, 422, [field]])
  }
  expect(await writer.do('readTrial', id)).toEqual(before)
})
