/** Nothing that somebody may not see comes back to them, whatever they ask: every operation is called, every byte searched. */
import { expect, test } from 'bun:test'
import { read, utils } from 'xlsx'
import { operations } from '../src/app'
import { permissions } from '../src/db/tables'
import type { AnyOperation } from '../src/http/operation'
import { everything } from './everything'
import type { Person } from './harness'

const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`
const whoMay = (op: AnyOperation): string[] => (Array.isArray(op.who) ? op.who : [op.who ?? 'staff'])

/** What is planted, by what it is: not to be told to those who may not see it. */
const planted = {
  restricted: {
    text: 'Quokkaflower',
    amended: 'Wombatflower',
    number: '7310457',
    'table cell': 'Zebrafinchine',
    'file name': 'axolotl-scan.pdf',
    calculation: '21931371',
    'calculation of a calculation': '21931372',
    score: '615243',
    'typed in a draft': 'Pangolinweed',
    'question about it': 'Why the capybara?',
    'rule’s question about it': 'is 7310457',
    'Likert by statement': 'hidlikert_q1',
  },
  pii: { text: 'Larkspur Road 12', number: '8200113', calculation: '16400226' },
  personal: {
    name: 'Philippa Featherstone',
    email: 'featherstone@example.net',
    phone: '+493012345678',
    whatsapp: '+493087654321',
    born: '1931-07-13',
    device: 'SecretPhone/9',
    address: '203.0.113.77',
    'name of who is gone': 'Gwendolyn Departed',
    'name before it changed': 'Philippa Maidenname',
  },
} as const

/** Of a participant at a site, for accounts of another. */
const ofTheSite = { 'open answer': 'Openlyspoken', 'participant ID': 'Northern-001' }

async function plantedStudy() {
  const every = await everything()
  const { owner, trial, anna, params, service } = every
  const of = async (dataType: Record<string, unknown>) =>
    (await owner.post(`/trials/${trial}/data-types`, { name: dataType.code, ...dataType }))._id as string
  const restricted = { isRestricted: true }
  const pii = { isPii: true }
  const ids: Record<string, string> = {
    open: await of({ code: 'open', format: 'text' }),
    hidtext: await of({ code: 'hidtext', format: 'text', ...restricted }),
    hidnumber: await of({ code: 'hidnumber', format: 'integer', ...restricted }),
    hidtable: await of({
      code: 'hidtable',
      format: 'table',
      columns: [{ id: 'a', label: 'A', format: 'text' }],
      ...restricted,
    }),
    hidlikert: await of({
      code: 'hidlikert',
      format: 'likert',
      scale: [0, 1].map((value) => ({ value, label: `level ${value}` })),
      statements: [{ key: 'q1', label: 'Calm' }],
      ...restricted,
    }),
    hidchoice: await of({
      code: 'hidchoice',
      format: 'choice',
      options: [{ label: 'A' }, { label: 'B' }],
      ...restricted,
    }),
    hidfile: await of({ code: 'hidfile', format: 'file', ...restricted }),
    thrice: await of({ code: 'thrice', format: 'calculation', expression: 'hidnumber * 3' }),
    onemore: await of({ code: 'onemore', format: 'calculation', expression: 'thrice + 1' }),
    piitext: await of({ code: 'piitext', format: 'text', ...pii }),
    piinumber: await of({ code: 'piinumber', format: 'integer', ...pii }),
    twice: await of({ code: 'twice', format: 'calculation', expression: 'piinumber * 2' }),
  }
  const points = (points: number) => ({ id: `by${points}`, points, operator: 'more', value: 1000 })
  const components = Object.entries(ids).map(([code, dataType]) => ({
    id: code,
    title: code,
    dataType,
    ...(code === 'hidnumber' ? { scoringRules: [points(600_000), points(15_243)] } : {}),
  }))
  // What the score calls for names the participant.
  const high = { id: 'high', operator: 'more', scoreThreshold: 600_000 } as const
  const onSubmitRules = [{ id: 'tell', conditions: [high], actions: [{ id: 'team', type: 'notifyTeam' }] }]
  const diary = await owner.post(`/trials/${trial}/stages`, { name: 'Diary', components, adHoc: true, onSubmitRules })
  const at = (n?: number) =>
    `/trials/${trial}/participants/${anna}/responses/${diary._id}${n === undefined ? '' : `::${n}`}`
  const body = (answers: Record<string, unknown>) => ({
    response: Object.fromEntries(Object.entries(answers).map(([code, value]) => [ids[code]!, { value }])),
  })
  await owner.put(`/trials/${trial}`, { smartAutomaticQueriesEnabled: true })
  await owner.put(`/trials/${trial}/participants/${anna}`, { id: ofTheSite['participant ID'] })
  const { personal } = planted
  const { name, email, phone, whatsapp } = personal
  await owner.put(`/trials/${trial}/participants/${anna}`, { name: personal['name before it changed'] })
  await owner.put(`/trials/${trial}/participants/${anna}`, { name, email, phone, whatsapp, dob: personal.born })
  for (let value = 11; value < 18; value++) await owner.put(at(), body({ hidnumber: value }))

  const file = { name: planted.restricted['file name'], size: '3', type: 'application/pdf' }
  const asked = await owner.get(
    `/uploads/file/request?${new URLSearchParams({ ...file, forType: 'participant', forId: anna })}`,
  )
  await every.fetch(asked.signedRequestURL, { method: 'PUT', body: 'abc', headers: { 'Content-Type': file.type } })
  const answers = {
    open: ofTheSite['open answer'],
    hidtext: planted.restricted.text,
    hidnumber: Number(planted.restricted.number),
    hidtable: [{ a: planted.restricted['table cell'] }],
    hidlikert: { q1: 1 },
    hidchoice: ['B'],
    hidfile: { fileName: asked.fileName, name: file.name },
    piitext: planted.pii.text,
    piinumber: Number(planted.pii.number),
  }
  const response = (await owner.put(at(), body(answers)))._id as string
  await service.house.tick()
  await owner.put(at(7), { ...body({ hidtext: planted.restricted.amended }), updateNote: 'Read again.' })
  await owner.put(`${at(7)}?draft=true`, body({ hidtext: planted.restricted['typed in a draft'] }))
  await owner.post(`/trials/${trial}/responses/${response}/validations`)
  const text = planted.restricted['question about it']
  const query = (await owner.post(`/trials/${trial}/queries`, { response, dataType: ids.hidtext, text }))._id

  // The participant's own device: signing in, changing something, submitting.
  const device = { headers: { 'User-Agent': personal.device } }
  const { code } = await owner.get(`/trials/${trial}`)
  const away = every.person({}, personal.address)
  const credentials = { trialCode: code, participantId: ofTheSite['participant ID'], password: 'correct horse' }
  const { token } = await away.post('/participants/sessions', credentials, device)
  const self = every.person({ Authorization: `Bearer ${token}` }, personal.address)
  await self.put('/participants/me', { timezone: 'Europe/Paris' }, device)
  const sent = body({ open: 'from the phone' }).response
  const submitted = await self.post(`/participants/trials/${trial}/stages/${diary._id}/responses`, sent, device)
  // The first of these was refused: a refusal keeps nothing of the device either.
  await away.call('POST', '/participants/sessions', { ...credentials, password: 'wrong' }, device)

  const gone = (await owner.post(`/trials/${trial}/participants`, { participantId: 'P-gone' }))._id
  await owner.put(`/trials/${trial}/participants/${gone}`, { name: personal['name of who is gone'] })
  const known = (await owner.get(`/trials/${trial}/logs`)).entries
  expect(JSON.stringify(known)).toContain(personal['name of who is gone'])
  await owner.delete(`/trials/${trial}/participants/${gone}`, { reason: 'asked to be forgotten' })

  Object.assign(params, { responseId: response, queryId: query, stageId: diary._id, dataTypeId: ids.hidtext })
  every.bodies['POST /trials/:trialId/queries'] = { response, text: 'And this?' }
  return { ...every, hidden: ids, diary: diary._id as string, at, body, response, submitted: submitted._id as string }
}

type Planted = Awaited<ReturnType<typeof plantedStudy>>

/** Every request that reads, with all its forms. */
function readings(s: Planted): string[] {
  const { trial, params, diary, response, submitted } = s
  const pathOf = (op: AnyOperation) =>
    op.path.replace(/:(\w+)/g, (_, name: string) => params[`${op.path.split('/')[1]}/${name}`] ?? params[name]!) +
    (s.queries[nameOf(op)] ?? '')
  const base = `/trials/${trial}`
  const secrets = Object.values({ ...planted.personal, ...planted.restricted, ...planted.pii })
  return [
    ...operations.filter((op) => op.method === 'GET').map(pathOf),
    '/openapi.json',
    ...['user', 'participant', 'system'].flatMap((type) =>
      [1, 2, 3, 4].map((page) => `${base}/logs?userType=${type}&page=${page}`),
    ),
    ...['user', 'participant', 'system'].map((type) => `${base}/logs?userType=${type}&format=csv`),
    ...['json', 'raw', 'csv', 'excel'].map((type) => `${base}/responses?type=${type}`),
    ...[diary, s.stage].flatMap((stage) => [
      `${base}/stages/${stage}/responses`,
      `${base}/stages/${stage}/responses?type=csv`,
    ]),
    ...[response, submitted].flatMap((id) => [`${base}/responses/${id}`, `${base}/responses/${id}/history`]),
    `${base}/participants?format=csv`,
    ...secrets.map((term) => `${base}/participants?term=${encodeURIComponent(term)}`),
    ...['open', 'answered', 'closed'].map((status) => `${base}/queries?status=${status}`),
    ...['participantId', 'responseId', 'queryId', 'stageId', 'dataTypeId', 'siteId'].flatMap((name) =>
      operations
        .filter((op) => op.method === 'GET' && op.path.includes(`:${name}`))
        .map((op) => pathOf(op).replace(params[name]!, 'f'.repeat(24))),
    ),
  ]
}

type Heard = { request: string; text: string }

/** Asks, and gives every byte that came back: status line, headers, body, and what a workbook behind a link holds. */
async function hear(
  s: Planted,
  person: Person,
  method: string,
  url: string,
  body?: unknown,
  headers = {},
): Promise<Heard> {
  const request = new Request(`http://localhost${url}`, {
    method,
    headers: { ...person.credentials, 'Content-Type': 'application/json', ...headers },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = await s.service.handle(request, '192.0.2.1')
  let text = `${answer.status} ${JSON.stringify([...answer.headers])} ${await answer.text()}`
  const link = /"request":"([^"]+)"/.exec(text)?.[1]
  if (link) {
    const book = read(new Uint8Array(await (await s.fetch(JSON.parse(`"${link}"`))).arrayBuffer()))
    text += book.SheetNames.map((name) => `${name} ${utils.sheet_to_csv(book.Sheets[name]!)}`).join('\n')
  }
  // What was asked for may be named in the refusal.
  return { request: `${method} ${url}`, text: text.replaceAll(decodeURIComponent(url), '') }
}

async function hearAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const url of readings(s)) heard.push(await hear(s, person, 'GET', url))
  return heard
}

/** Everything else that this person may do, with a good body and with one that is quoted in a refusal. */
async function doAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  const list = operations.filter(
    // Whoever holds a link of one participant speaks for them.
    (op) =>
      op.method !== 'GET' && whoMay(op).some((who) => who !== 'participant') && !op.path.startsWith('/stage-tokens'),
  )
  for (const op of list) {
    const path = op.path.replace(
      /:(\w+)/g,
      (_, name: string) => s.params[`${op.path.split('/')[1]}/${name}`] ?? s.params[name]!,
    )
    const url = path + (s.queries[nameOf(op)] ?? '')
    for (const body of op.body ? [{ nonsense: 1 }, s.bodies[nameOf(op)] ?? {}] : [undefined]) {
      heard.push(await hear(s, person, op.method, url, body))
    }
  }
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ open: ofTheSite['open answer'] })))
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ hidnumber: 'no number' })))
  heard.push(await hear(s, person, 'PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' })))
  return heard
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  // Without its ends, so that it is found at whatever place of a longer text it stands; too little is no sign of it.
  ...[0, 1, 2]
    .map((skip) =>
      Buffer.from(' '.repeat(skip) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    .filter(({ length }) => length >= 8),
]

/** Which of these secrets were told, and by what. */
const told = (heard: readonly Heard[], secrets: Record<string, string>): string[] =>
  Object.entries(secrets).flatMap(([what, secret]) => {
    const forms = formsOf(secret).map((form) => form.toLowerCase())
    const by = heard.filter(({ text }) => forms.some((form) => text.toLowerCase().includes(form)))
    return by.length ? [`${what} (${secret}) by ${[...new Set(by.map(({ request }) => request))].join(', ')}`] : []
  })

/** What each entry of a hidden field would look like. */
const entries = ({ hidden }: Planted) =>
  Object.fromEntries(
    ['hidlikert', 'hidchoice', 'hidfile', 'thrice'].flatMap((code) => [
      [`${code} in a response`, `"${hidden[code]}":{"value"`],
      [`${code} in a history`, `"dataType":"${hidden[code]}","value"`],
      [`${code} in a log`, `"dataType":"${hidden[code]}","before"`],
      [`${code} marked`, `"dataType":"${hidden[code]}","verified`],
    ]),
  )

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

const words = ['read', 'write', 'readLogs', 'exportData']
const seeing = {
  personal: 'readParticipantPersonalInformation',
  restricted: 'readParticipantStudyDataRestricted',
  pii: 'readParticipantStudyDataPii',
}

for (const scope of ['trial', 'site'] as const) {
  for (const holding of [[], ['restricted'], ['pii'], ['personal']] as (keyof typeof seeing)[][]) {
    const name = `on the ${scope} with ${holding.join() || 'none of the three permissions'}`
    test(`${name}: no answer, log, export or refusal tells what is hidden`, async () => {
      const s = await plantedStudy()
      const keys = [...words, ...holding.map((each) => seeing[each])]
      const place = scope === 'trial' ? s.trial : s.site
      const blind = s.staff(
        s.trial,
        keys.map((key) => `${scope}.${key}`),
        place,
      )
      const heard = [...(await hearAll(s, blind)), ...(await doAll(s, blind)), ...(await hearAll(s, blind))]
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
