/** No response reveals data that the caller may not see: the test calls every operation and searches every byte. */
import { expect, test } from 'bun:test'
import { operations } from '#app'
import { permissions } from '#db/tables/index'
import { type AnyOperation, callersOf } from '#http/operation'
import { entriesOf, isZip } from '#writers/unzip'
import { everything } from './everything'
import { operationAt, type Person } from './harness'
import { until } from './storage/shelf'

const nameOf = (op: AnyOperation) => `${op.method} ${op.path}`
const whoMay = (op: AnyOperation): readonly string[] => callersOf(op)

/** The secrets in the study, by name: no response may reveal them to people who may not see them. */
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
    'file with the question': 'kiwi-question.pdf',
    'note on the change': 'Numbat misheard',
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

const all = { restricted: planted.restricted, pii: planted.pii, personal: planted.personal, ofTheSite }
type Secrets = { [Kind in keyof typeof all]: Record<keyof (typeof all)[Kind], string> }

/** The same with other values of the same length and kind: people who may not see them must get equal responses. */
const otherwise: Secrets = {
  restricted: {
    ...planted.restricted,
    text: 'Marmosetleaf',
    amended: 'Tamarinsleaf',
    number: '8421568',
    'table cell': 'Goldcrestling',
    'file name': 'ocelots-scan.pdf',
    'typed in a draft': 'Tapirsblossom',
    'question about it': 'Why the chinchi?',
    'file with the question': 'emus-question.pdf',
    'note on the change': 'Possum misheard',
  },
  pii: { ...planted.pii, text: 'Juniper Street 7', number: '9311224' },
  personal: {
    name: 'Wilhelmina Ravensworth',
    email: 'ravensworth@example.net',
    phone: '+493012345699',
    whatsapp: '+493087654399',
    born: '1947-02-21',
    device: 'OtherPhones/4',
    address: '203.0.113.99',
    'name of who is gone': 'Leopoldine Leftlong',
    'name before it changed': 'Wilhelmina Formerly',
  },
  ofTheSite,
}

async function plantedStudy({ restricted: hidden, pii: own, personal, ofTheSite }: Secrets = all) {
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
  // The message that the score causes names the participant.
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
  const { name, email, phone, whatsapp } = personal
  await owner.put(`/trials/${trial}/participants/${anna}`, { name: personal['name before it changed'] })
  await owner.put(`/trials/${trial}/participants/${anna}`, { name, email, phone, whatsapp, dob: personal.born })
  for (let value = 11; value < 18; value++) await owner.put(at(), body({ hidnumber: value }))

  const type = 'application/pdf'
  const upload = async (name: string, forType: string, forId: string): Promise<string> => {
    const query = new URLSearchParams({ name, size: '3', type, forType, forId })
    const asked = await owner.get(`/uploads/file/request?${query}`)
    await every.fetch(asked.signedRequestURL, { method: 'PUT', body: 'abc', headers: { 'Content-Type': type } })
    return asked.fileName
  }
  const file = { fileName: await upload(hidden['file name'], 'participant', anna), name: hidden['file name'] }
  const answers = {
    open: ofTheSite['open answer'],
    hidtext: hidden.text,
    hidnumber: Number(hidden.number),
    hidtable: [{ a: hidden['table cell'] }],
    hidlikert: { q1: 1 },
    hidchoice: ['B'],
    hidfile: file,
    piitext: own.text,
    piinumber: Number(own.number),
  }
  const response = (await owner.put(at(), body(answers)))._id as string
  await service.services.tick()
  await owner.put(at(7), { ...body({ hidtext: hidden.amended }), updateNote: hidden['note on the change'] })
  await owner.put(`${at(7)}?draft=true`, body({ hidtext: hidden['typed in a draft'] }))
  await owner.post(`/trials/${trial}/responses/${response}/validations`)
  const text = hidden['question about it']
  const query = (await owner.post(`/trials/${trial}/queries`, { response, dataType: ids.hidtext, text }))._id
  const attached = await upload(hidden['file with the question'], 'query', query)
  await owner.post(`/queries/${query}/messages`, { text: 'See there.', attachments: [attached] })

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
  return {
    ...every,
    itself: self,
    hidden: ids,
    diary: diary._id as string,
    at,
    body,
    response,
    submitted: submitted._id as string,
  }
}

type Planted = Awaited<ReturnType<typeof plantedStudy>>

/** Every request that reads, in all its variants. */
function readings(s: Planted): string[] {
  const { trial, params, diary, response, submitted } = s
  const pathOf = (op: AnyOperation) =>
    op.path.replace(/:(\w+)/g, (_, name: string) => params[`${op.path.split('/')[1]}/${name}`] ?? params[name]!) +
    (s.queries[nameOf(op)] ?? '')
  const base = `/trials/${trial}`
  const secrets = Object.values({ ...planted.personal, ...planted.restricted, ...planted.pii })
  return [
    ...operations.filter((op) => op.method === 'GET').map(pathOf),
    `/stages/${diary}?format=docx&response=${response}`,
    `/stages/${diary}?format=pdf`,
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

type Heard = { request: string; text: string; body: string }

/** What a file holds: workbooks, Word files and archives are unpacked, and read without their tags too. */
function contentOf(bytes: Uint8Array): string {
  const isPdf = Buffer.from(bytes.subarray(0, 4)).toString() === '%PDF' // a blank form, and what it says is packed
  if (!isZip(bytes)) return isPdf ? '' : Buffer.from(bytes).toString('latin1')
  return entriesOf(bytes, 64 << 20, Error)
    .map(({ name, read }) => [name, Buffer.from(read()).toString()])
    .map(([name, text]) => `${name} ${text} ${text!.replace(/<[^>]*>/g, '')}`)
    .join('\n')
}

const LINK = /"(http:\/\/localhost\/storage\/[^"]+)"/g

/** Sends a request, and returns every byte of the response: status line, headers, body, and the files behind its links. */
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
  const content = await answer.text()
  let text = `${answer.status} ${JSON.stringify([...answer.headers])} ${content}`
  for (const [, link] of text.matchAll(LINK)) {
    const file = await s.fetch(JSON.parse(`"${link}"`))
    text += `\n${file.status} ${JSON.stringify([...file.headers])} ${contentOf(await file.bytes())}`
  }
  // The refusal may repeat what the caller sent.
  return { request: `${method} ${url}`, text: text.replaceAll(decodeURIComponent(url), ''), body: content }
}

async function hearAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  for (const url of readings(s)) heard.push(await hear(s, person, 'GET', url))
  return heard
}

/** All other requests of this person, with a valid body and with one that the refusal quotes. */
async function doAll(s: Planted, person: Person): Promise<Heard[]> {
  const heard: Heard[] = []
  const list = operations.filter(
    // A person with the link of a participant acts as that participant.
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
  heard.push(...(await succeed(s, person)))
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ open: ofTheSite['open answer'] })))
  heard.push(await hear(s, person, 'PUT', s.at(7), s.body({ hidnumber: 'no number' })))
  heard.push(await hear(s, person, 'PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' })))
  return heard
}

/** Requests that succeed for people who may write, where the loop over all operations names something hidden or deleted. */
async function succeed(s: Planted, person: Person): Promise<Heard[]> {
  const { trial, anna, response } = s
  const heard: Heard[] = []
  const ask = async (method: string, url: string, body?: unknown) => {
    const answer = await hear(s, person, method, url, body)
    heard.push(answer)
    return answer.text.startsWith('200') ? JSON.parse(answer.body) : undefined
  }
  const raised = await ask('POST', `/trials/${trial}/queries`, { response, dataType: s.hidden.open, text: 'Sure?' })
  if (raised) {
    await ask('POST', `/queries/${raised._id}/messages`, { text: 'Quite.' })
    await ask('PUT', `/queries/${raised._id}`, { assignees: [] })
    await ask('GET', `/queries/${raised._id}`)
  }
  for (const kind of ['file', 'video']) {
    const file = { name: 'a.mp4', size: '3', type: 'video/mp4', forType: 'participant', forId: anna }
    await ask('GET', `/uploads/${kind}/request?${new URLSearchParams(file)}`)
  }
  await ask('PUT', `${s.at(7)}?draft=true`, s.body({ open: 'typed' }))
  await ask('GET', `/trials/${trial}/participants/${anna}/responses`)
  await ask('DELETE', `${s.at(7).replace('/responses/', '/draftResponses/')}`)
  const started = await ask('POST', `/trials/${trial}/stages?creationType=generateFromAI`, { prompt: 'Name?' })
  if (started) {
    await until(async () => (await person.get(`/jobs/${started.jobId}`)).status !== 'pending')
    await ask('GET', `/jobs/${started.jobId}`)
  }
  return heard
}

const formsOf = (secret: string): string[] => [
  secret,
  encodeURIComponent(secret),
  new URLSearchParams({ '': secret }).toString().slice(1),
  JSON.stringify(secret).slice(1, -1),
  // Without its ends, so that it is found anywhere in a longer text; a short piece would prove nothing.
  ...[0, 1, 2]
    .map((skip) =>
      Buffer.from(' '.repeat(skip) + secret)
        .toString('base64')
        .slice(4, -4),
    )
    .filter(({ length }) => length >= 8),
]

/** The secrets that these responses reveal, each with its request. */
const leaks = (heard: readonly Heard[], secrets: Record<string, string>): string[] =>
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
  const missed = Object.entries(secrets).filter(([what, secret]) => !leaks(heard, { [what]: secret }).length)
  expect(missed).toEqual([])
  expect(leaks(heard, { goneName })).toEqual([])
  expect(s.faults).toEqual([])
}, 60_000)

/** Needs that include the permission to see everything, or that are not about a trial. */
const OVERSEEN = /^(trial\.admin|team\.|trials\.)/

/** Operations that cannot succeed here: they need a session, or something that the loop deleted before. */
const inVain = [
  'POST /trials/:trialId/signatures',
  'PUT /sites/:siteId/memberships/:participantId',
  'POST /trials/:trialId/participants/:participantId/grants',
]

/** Operations that never succeeded in the loops, which then prove nothing about them. What is in use cannot be deleted. */
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
      expect(leaks(heard, secrets)).toEqual([])
      // The caller does see the rest: so the search covered successful responses, not only refusals.
      expect(leaks(heard, { open: ofTheSite['open answer'] })).not.toEqual([])
      if (holding.includes('restricted')) expect(leaks(heard, { score: restricted.score })).not.toEqual([])
      if (holding.includes('personal')) expect(leaks(heard, { device: personal.device })).not.toEqual([])
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
  expect(leaks(heard, { ...answers, ...pii, ...personal, ...ofTheSite, ...entries(s) })).toEqual([])
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
  expect(leaks([first], { secret: restricted.amended })).not.toEqual([])
  expect((await again()).text.slice(4)).toBe(first.text.slice(4))
  await s.owner.put(`/trials/${s.trial}/users/${nurse._id}/permissions`, {
    permissions: { [s.trial]: words.map((key) => `trial.${key}`) },
  })
  const later = await again()
  expect(later.text).toStartWith('403')
  expect(leaks([later], { ...restricted, ...pii, ...personal })).toEqual([])
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
  // The response to staff who create a link has no more than they sent.
  const link = await editor.post(`/trials/${trial}/participants/${s.anna}/stages/${s.stage}/tokens`)
  await s.owner.put(`/data-types/${s.ids.symptom}`, { isRestricted: true })
  await s.enter({ symptom: restricted.text.slice(0, 12) })
  const opened = await hear(s, s.nobody, 'POST', `/stage-tokens/${link.token}/responses`, s.sent({ pulse: 61 }))
  expect(opened.text).toStartWith('200')
  expect(leaks([opened], { text: restricted.text })).toEqual([])
})

/** The responses in a form that is equal for two services: ids and tokens are numbered by their first appearance. */
function alike(heard: readonly Heard[]): string[] {
  const names = new Map<string, string>()
  const named = (random: string) => {
    if (!names.has(random)) names.set(random, `#${names.size}`)
    return names.get(random)!
  }
  const random = /[0-9a-f]{24,64}|(?<![\w-])[\w-]{43}(?![\w-])/g
  // The length of compressed content, and times of the machine's clock.
  const chance = /"content-length","\d+"|\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/g
  return heard.map(({ request, text }) => `${request} ${text}`.replace(chance, '').replace(random, named))
}

type Caller = [string, (s: Planted) => Person, Partial<Secrets>]
const { restricted: otherAnswers, pii: otherPii, personal: otherPeople } = otherwise
const on = (scope: 'trial' | 'site' | 'group', keys: string[]) => (s: Planted) =>
  s.staff(
    s.trial,
    keys.map((key) => `${scope}.${key}`),
    s[scope],
  )
const blindfold = { restricted: otherAnswers, pii: otherPii, personal: otherPeople }

test.each<Caller>([
  ['who reads and writes on the trial', on('trial', words), blindfold],
  ['who reads and writes on the site', on('site', words), blindfold],
  ['who reads and writes in the group', on('group', words), blindfold],
  ['who sees restricted answers', on('trial', [...words, seeing.restricted]), { pii: otherPii, personal: otherPeople }],
  ['who sees PII answers', on('trial', [...words, seeing.pii]), { restricted: otherAnswers, personal: otherPeople }],
  [
    'who sees personal information',
    on('trial', [...words, seeing.personal]),
    { restricted: otherAnswers, pii: otherPii },
  ],
  ['who reads the log only', on('trial', ['readLogs']), blindfold],
  ['who exports only', on('trial', ['exportData', 'readParticipantStudyData']), blindfold],
  ['who takes part', ({ itself }) => itself, { ...blindfold }],
])(
  '%s hears the same whatever is hidden: not a byte depends on it',
  async (_, person, change) => {
    const hearing = async (secrets: Secrets) => {
      const s = await plantedStudy(secrets)
      const somebody = person(s)
      return alike([...(await hearAll(s, somebody)), ...(await doAll(s, somebody))])
    }
    const [one, other] = [await hearing(all), await hearing({ ...all, ...change })]
    const different = one.flatMap((text, at) => (text === other[at] ? [] : [differing(text, other[at]!)]))
    expect(different).toEqual([])
    expect(one.filter((text) => / 200 \[\[/.test(text)).length).toBeGreaterThan(5)
  },
  60_000,
)

/** The first difference of two texts, with the request. */
function differing(one: string, other: string): string {
  const at = [...one].findIndex((character, index) => character !== other[index])
  const around = (text: string) => text.slice(Math.max(0, at - 60), at + 60)
  return `${one.slice(0, 120)}: …${around(one)}… and …${around(other)}…`
}
