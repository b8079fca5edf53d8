/** No response shows values that the caller may not see: every operation is called, and every byte searched. */
import { expect, test } from 'bun:test'
import { permissions } from '#db/tables/index'
import { operations } from '#start/app'
import { operationAt } from './harness'
import { ofToday } from './proof'
import {
  disclosed,
  type Exchange,
  entries,
  exchange,
  nameOf,
  permissionFor,
  readEverything,
  whoMay,
  words,
  writeEverything,
} from './secrets.exchanges'
import { ofTheSite, secretStudy, trialSecrets } from './secrets.study'

const { restricted, pii, personal } = trialSecrets
const { 'name of who is gone': goneName, ...living } = personal

test('a person who may see everything gets each of the secrets, so that the search below can fail', async () => {
  const s = await secretStudy()
  const secrets = { ...restricted, ...pii, ...living, ...ofTheSite, ...entries(s) }
  const exchanges = await readEverything(s, s.owner)
  const missed = Object.entries(secrets).filter(([what, secret]) => !disclosed(exchanges, { [what]: secret }).length)
  expect(missed).toEqual([])
  expect(disclosed(exchanges, { goneName })).toEqual([])
}, 180_000)

/** Permissions that show everything, or do not belong to a trial. */
const SEES_ALL = /^(trial\.admin|team\.|trials\.)/

/** Operations that cannot succeed here: they need a session, or objects that the loop has deleted before. */
const cannotSucceed = [
  'POST /trials/:trialId/signatures',
  'POST /trials/:trialId/heldEntries/:heldEntryId/refusal', // the entry was accepted just before
  'POST /trials/:trialId/participants/:participantId/grants',
  'POST /trials/:trialId/consents/:consentId/countersignature', // needs a fresh confirmation
  'GET /uploads/hardware/request', // for participants only, and the loop asks for the trial
  'PUT /trials/:trialId/participants/:participantId/pin', // as with sign-in links, the participant is archived by then
  'POST /delegations/:delegationId/signatures',
  'POST /files/:fileId/approvals', // the file has no version to approve
  'POST /files/:fileId/approvals/:approvalId/decisions', // the caller was not asked
  'POST /packs/delete', // needs a permission that writing does not give
  // The list and the balance are for who sees arms: test/secrets.arms.test.ts.
  'GET /randomisations/:randomisationId/list',
  'POST /randomisations/:randomisationId/allocations/:allocationId/unblinding',
  'GET /randomisations/:randomisationId/balance',
  // Managing the wallet is none of their permissions, too.
  'GET /trials/:trialId/wallet/balance',
  'POST /trials/:trialId/incentives/brands',
  'PUT /incentive-brands/:brandId',
  'POST /trials/:trialId/wallet/transactions/:transactionId/reversal',
  'POST /incentive-brands/:brandId/codes',
  'GET /files/:fileId/preview', // the file has no document in it
  'POST /randomisations/:randomisationId/dispensations', // nobody of the study was allocated: test/secrets.arms.test.ts
  'POST /trials/:trialId/restoration', // needs a session and a fresh confirmation
]

/** Operations that never succeed in the loops, which would prove nothing of them. Objects in use are not deleted. */
function neverSucceeded(exchanges: readonly Exchange[]): string[] {
  const well = new Set(
    exchanges.flatMap(({ request, text }) => {
      const [method, url] = request.split(' ')
      return text.startsWith('200') ? [operationAt(method!, url!.split('?')[0]!)] : []
    }),
  )
  return operations
    .filter((op) => whoMay(op).includes('staff') && op.method !== 'DELETE' && !well.has(op))
    .filter(
      ({ needs, path }) =>
        !SEES_ALL.test(JSON.stringify(needs ?? '').replace(/^[^a-z]*(anywhere\W+)?/, '')) &&
        !path.startsWith('/teams/'),
    )
    .map(nameOf)
}

for (const scope of ['trial', 'site'] as const) {
  for (const holding of ofToday<(keyof typeof permissionFor)[]>([[], ['restricted'], ['pii'], ['personal']])) {
    const name = `on the ${scope} with ${holding.join() || 'none of the three permissions'}`
    test(`${name}: no response, log, export or refusal shows hidden values`, async () => {
      const s = await secretStudy()
      const keys = [...words, ...holding.map((each) => permissionFor[each])]
      const place = s[scope]
      const blind = s.staff(
        s.trial,
        keys.map((key) => `${scope}.${key}`),
        place,
      )
      const exchanges = [
        ...(await readEverything(s, blind)),
        ...(await writeEverything(s, blind)),
        ...(await readEverything(s, blind)),
      ]
      if (scope === 'trial') expect(neverSucceeded(exchanges).sort()).toEqual(cannotSucceed.toSorted())
      expect(exchanges.filter(({ text }) => text.startsWith('500'))).toEqual([])
      const secrets = {
        ...(holding.includes('restricted') ? {} : { ...restricted, ...entries(s) }),
        ...(holding.includes('pii') ? {} : pii),
        ...(holding.includes('personal') ? { goneName } : personal),
      }
      expect(disclosed(exchanges, secrets)).toEqual([])
      // The caller does see the rest: not all responses were refusals.
      expect(disclosed(exchanges, { open: ofTheSite['open answer'] })).not.toEqual([])
      if (holding.includes('restricted')) expect(disclosed(exchanges, { score: restricted.score })).not.toEqual([])
      if (holding.includes('personal')) expect(disclosed(exchanges, { device: personal.device })).not.toEqual([])
    }, 180_000)
  }
}

test('an account of another site sees nothing of the participant', async () => {
  const s = await secretStudy()
  const site = await s.owner.do('createSite', s.trial, { name: 'South', id: 'S2' })
  const keys = [...words, ...Object.values(permissionFor)]
  const stranger = s.staff(
    s.trial,
    keys.map((key) => `site.${key}`),
    site._id,
  )
  s.db
    .insert(permissions)
    .values({ user: stranger._id, trial: s.trial, scope: s.trial, keys: ['trial.writeTasks'] })
    .run()
  expect((await stranger.do('listTasks', s.trial)).tasks).toHaveLength(1)
  expect((await s.owner.do('listTasks', s.trial)).tasks).toHaveLength(2)
  const exchanges = [
    ...(await readEverything(s, stranger)),
    ...(await writeEverything(s, stranger)),
    ...(await readEverything(s, stranger)),
  ]
  const { 'Likert by statement': _, ...answers } = restricted // the name of a column, which is not secret to its readers
  expect(disclosed(exchanges, { ...answers, ...pii, ...personal, ...ofTheSite, ...entries(s) })).toEqual([])
  expect(exchanges.filter(({ text }) => text.startsWith('200')).length).toBeGreaterThan(20)
}, 180_000)

test('a search by a hidden value finds the same as a search by any other', async () => {
  const s = await secretStudy()
  const blind = s.staff(
    s.trial,
    words.map((key) => `trial.${key}`),
  )
  for (const term of [personal.name, personal.email, personal.phone, restricted.text]) {
    const { total } = await blind.do('listParticipants', s.trial, { term })
    expect([term, total]).toEqual([term, 0])
  }
  for (const query of ['name=x', 'sort=name', 'sort=dob', 'email=x']) {
    expect((await blind.call('GET', `/trials/${s.trial}/participants?${query}`)).status).toBe(422)
  }
})

test('a write that is repeated after a permission was withdrawn does not show the stored response', async () => {
  const s = await secretStudy()
  const keys = [...words, ...Object.values(permissionFor)].map((key) => `trial.${key}`)
  const nurse = s.staff(s.trial, keys)
  const again = () => exchange(s, nurse, 'PUT', s.at(7), s.body({ open: 'once' }), { 'Idempotency-Key': 'one' })
  const first = await again()
  expect(disclosed([first], { secret: restricted.amended })).not.toEqual([])
  expect((await again()).text.slice(4)).toBe(first.text.slice(4))
  await s.owner.do('setPermissions', s.trial, nurse._id, {
    permissions: { [s.trial]: words.map((key) => `trial.${key}`) },
  })
  const later = await again()
  expect(later.text).toStartWith('403')
  expect(disclosed([later], { ...restricted, ...pii, ...personal })).toEqual([])
})

test('nobody can reveal an answer that is hidden from them by changing the configuration', async () => {
  const s = await secretStudy()
  const editor = s.staff(s.trial, ['trial.write'])
  const { hidden, trial } = s
  const type = (code: string) => `/data-types/${hidden[code]}`
  const attempts: [string, string, unknown][] = [
    ['PUT', type('hidtext'), { isRestricted: false }],
    ['PUT', type('piitext'), { isPii: false }],
    ['PUT', type('thrice'), { expression: '1 * 3' }],
    ['PUT', type('onemore'), { expression: '1' }],
    ['PUT', type('hidchoice'), { options: [{ label: 'A' }] }],
    ['PUT', type('hidchoice'), { options: [{ label: 'B' }] }],
    ['PUT', type('hidtext'), { format: 'integer' }],
    [
      'PUT',
      `/stages/${s.diary}`,
      { components: Object.values(hidden).map((dataType) => ({ id: dataType, title: 'x', dataType })) },
    ],
  ]
  for (const [method, url, body] of attempts) {
    expect([url, body, (await editor.call(method, url, body)).status]).toEqual([url, body, 403])
  }
  for (const [url, body] of [
    [type('hidtext'), { description: 'Clearer', isPii: true }],
    [type('open'), { isRestricted: true }],
    [type('hidtext'), { isRestricted: true }],
  ] as const) {
    expect([body, (await editor.call('PUT', url, body)).status]).toEqual([body, 200])
  }
  // A link that staff created shows them only what they send with it.
  const link = await editor.do('createStageToken', trial, s.anna, s.stage)
  await s.owner.do('updateDataType', s.ids.symptom, { isRestricted: true })
  await s.enter({ symptom: restricted.text.slice(0, 12) })
  const opened = await exchange(s, s.nobody, 'POST', `/stage-tokens/${link.token}/responses`, s.sent({ pulse: 61 }))
  expect(opened.text).toStartWith('200')
  expect(disclosed([opened], { text: restricted.text })).toEqual([])
})
