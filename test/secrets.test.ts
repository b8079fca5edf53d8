/** Nothing that somebody may not see comes back to them, whatever they ask: every operation is called, every byte searched. */
import { expect, test } from 'bun:test'
import { operations } from '#app'
import { permissions } from '#db/tables/index'
import { operationAt } from './harness'
import { doAll, entries, type Heard, hear, hearAll, nameOf, seeing, told, whoMay, words } from './secrets.hearing'
import { ofTheSite, planted, plantedStudy } from './secrets.study'

const { restricted, pii, personal } = planted
const { 'name of who is gone': goneName, ...living } = personal

test('who may see everything is told each of the secrets, so that the others’ silence means something', async () => {
  const s = await plantedStudy()
  const secrets = { ...restricted, ...pii, ...living, ...ofTheSite, ...entries(s) }
  const heard = await hearAll(s, s.owner)
  const missed = Object.entries(secrets).filter(([what, secret]) => !told(heard, { [what]: secret }).length)
  expect(missed).toEqual([])
  expect(told(heard, { goneName })).toEqual([])
  expect(s.faults).toEqual([])
}, 60_000)

/** Needs of which the first brings the sight of everything with it, or which are of no trial. */
const OVERSEEN = /^(trial\.admin|team\.|trials\.)/

/** What cannot go well here: it needs a session, or what the loop took away before. */
const inVain = [
  'POST /trials/:trialId/signatures',
  'PUT /sites/:siteId/memberships/:participantId',
  'POST /trials/:trialId/participants/:participantId/grants',
]

/** What the loops never heard well of: of these operations they would prove nothing. What is in use is not deleted. */
function unanswered(heard: readonly Heard[]): string[] {
  const well = new Set(
    heard.flatMap(({ request, text }) => {
      const [method, url] = request.split(' ')
      return text.startsWith('200') ? [operationAt(method!, url!.split('?')[0]!)] : []
    }),
  )
  return operations
    .filter((op) => whoMay(op).includes('staff') && op.method !== 'DELETE' && !well.has(op))
    .filter(
      ({ needs, path }) =>
        !OVERSEEN.test(JSON.stringify(needs ?? '').replace(/^[^a-z]*/, '')) && !path.startsWith('/teams/'),
    )
    .map(nameOf)
}

for (const scope of ['trial', 'site'] as const) {
  for (const holding of [[], ['restricted'], ['pii'], ['personal']] as (keyof typeof seeing)[][]) {
    const name = `on the ${scope} with ${holding.join() || 'none of the three permissions'}`
    test(`${name}: no answer, log, export or refusal tells what is hidden`, async () => {
      const s = await plantedStudy()
      const keys = [...words, ...holding.map((each) => seeing[each])]
      const place = s[scope]
      const blind = s.staff(
        s.trial,
        keys.map((key) => `${scope}.${key}`),
        place,
      )
      const heard = [...(await hearAll(s, blind)), ...(await doAll(s, blind)), ...(await hearAll(s, blind))]
      if (scope === 'trial') expect(unanswered(heard)).toEqual(inVain)
      expect(heard.filter(({ text }) => text.startsWith('500'))).toEqual([])
      const secrets = {
        ...(holding.includes('restricted') ? {} : { ...restricted, ...entries(s) }),
        ...(holding.includes('pii') ? {} : pii),
        ...(holding.includes('personal') ? { goneName } : personal),
      }
      expect(told(heard, secrets)).toEqual([])
      // The caller does see the rest: the search looked at answers, not at refusals alone.
      expect(told(heard, { open: ofTheSite['open answer'] })).not.toEqual([])
      if (holding.includes('restricted')) expect(told(heard, { score: restricted.score })).not.toEqual([])
      if (holding.includes('personal')) expect(told(heard, { device: personal.device })).not.toEqual([])
      expect(s.faults).toEqual([])
    }, 60_000)
  }
}

test('an account of another site is told nothing at all of the participant', async () => {
  const s = await plantedStudy()
  const site = await s.owner.post(`/trials/${s.trial}/sites`, { name: 'South', id: 'S2' })
  const keys = [...words, ...Object.values(seeing)]
  const stranger = s.staff(
    s.trial,
    keys.map((key) => `site.${key}`),
    site._id,
  )
  s.db
    .insert(permissions)
    .values({ user: stranger._id, trial: s.trial, scope: s.trial, keys: ['trial.writeTasks'] })
    .run()
  expect((await stranger.get(`/trials/${s.trial}/tasks`)).tasks).toHaveLength(1)
  expect((await s.owner.get(`/trials/${s.trial}/tasks`)).tasks).toHaveLength(2)
  const heard = [...(await hearAll(s, stranger)), ...(await doAll(s, stranger)), ...(await hearAll(s, stranger))]
  const { 'Likert by statement': _, ...answers } = restricted // the name of a column, which is no secret from who may see it
  expect(told(heard, { ...answers, ...pii, ...personal, ...ofTheSite, ...entries(s) })).toEqual([])
  expect(heard.filter(({ text }) => text.startsWith('200')).length).toBeGreaterThan(20)
}, 60_000)

test('what is hidden cannot be looked for: a search finds the same whether or not it is the secret', async () => {
  const s = await plantedStudy()
  const blind = s.staff(
    s.trial,
    words.map((key) => `trial.${key}`),
  )
  for (const term of [personal.name, personal.email, personal.phone, restricted.text]) {
    const { total } = await blind.get(`/trials/${s.trial}/participants?term=${encodeURIComponent(term)}`)
    expect([term, total]).toEqual([term, 0])
  }
  for (const query of ['name=x', 'sort=name', 'sort=dob', 'email=x']) {
    expect((await blind.call('GET', `/trials/${s.trial}/participants?${query}`)).status).toBe(422)
  }
})

test('a write that is repeated after a permission was taken away tells nothing of what was answered then', async () => {
  const s = await plantedStudy()
  const keys = [...words, ...Object.values(seeing)].map((key) => `trial.${key}`)
  const nurse = s.staff(s.trial, keys)
  const again = () => hear(s, nurse, 'PUT', s.at(7), s.body({ open: 'once' }), { 'Idempotency-Key': 'one' })
  const first = await again()
  expect(told([first], { secret: restricted.amended })).not.toEqual([])
  expect((await again()).text.slice(4)).toBe(first.text.slice(4))
  await s.owner.put(`/trials/${s.trial}/users/${nurse._id}/permissions`, {
    permissions: { [s.trial]: words.map((key) => `trial.${key}`) },
  })
  const later = await again()
  expect(later.text).toStartWith('403')
  expect(told([later], { ...restricted, ...pii, ...personal })).toEqual([])
})

test('nobody opens to themselves what is hidden from them', async () => {
  const s = await plantedStudy()
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
  // A link that staff made tells them no more than they send with it.
  const link = await editor.post(`/trials/${trial}/participants/${s.anna}/stages/${s.stage}/tokens`)
  await s.owner.put(`/data-types/${s.ids.symptom}`, { isRestricted: true })
  await s.enter({ symptom: restricted.text.slice(0, 12) })
  const opened = await hear(s, s.nobody, 'POST', `/stage-tokens/${link.token}/responses`, s.sent({ pulse: 61 }))
  expect(opened.text).toStartWith('200')
  expect(told([opened], { text: restricted.text })).toEqual([])
})
