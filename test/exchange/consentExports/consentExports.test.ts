/** Exports of consents, read by other programs' readers: csv-parse and SheetJS. */
import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { read, utils } from 'xlsx'
import { participantSites } from '#db/tables/index'
import { parseInstant } from '#kernel/time'
import { addConsent } from '../../conduct/consents/consentRows'
import { consentWorld } from '../../conduct/consents/consents.study'
import { sharedInFile } from '../../harness'
import { firstOf, present } from '../../present'

const HOSTILE = '=HYPERLINK("http://x.example";"Ann")'
const conditions = [
  { id: 'data', title: '+Meine Daten dürfen benutzt werden.', requiresInitials: true },
  { id: 'call', title: 'يمكنكم الاتصال بي', optional: true },
]
const quiz = [{ question: 'How many visits?', options: ['One', 'Two'], correct: 1 }]

/** Ann gave a full consent over the link, and withdrew it; P-1 signed an outdated version in person; P-2 signed nothing; P-3 is archived. */
const made = sharedInFile(async () => {
  const w = await consentWorld({ conditions, quiz, name: 'Main sheet', readToEnd: true })
  const { owner, nobody, trialId, documentId, start, verify, give, db } = w
  const token = await start()
  await nobody.do('recordConsentEvents', token, { events: [{ type: 'page', page: 'sheet' }, { type: 'readToEnd' }] })
  await nobody.do('answerConsentQuiz', token, { answers: [0] })
  w.clock(1_000_000)
  await nobody.do('answerConsentQuiz', token, { answers: [1] })
  await verify(token, 'ann@example.org')
  const signed = { fullName: HOSTILE, confirmations: { data: true }, initials: { data: '@AL' } }
  const given = await give(token, { ...signed, signature: { method: 'typed', name: HOSTILE } })
  if (given.status !== 200) throw new Error(JSON.stringify(given.body))
  await owner.do('withdrawConsent', trialId, given.body._id, { reason: '-1+1 reasons' })
  const register = async (participantId: string) =>
    (await owner.do('registerParticipants', trialId, { participantId }))._id
  const [one, two, three] = [await register('P-1'), await register('P-2'), await register('P-3')]
  const north = (await owner.do('createSite', trialId, { name: 'North', id: 'N1' }))._id
  db.insert(participantSites).values({ participant: one, site: north }).run()
  const add = (participant: string) => {
    w.clock(1_000_000)
    return addConsent(db, { trial: trialId, form: documentId, participant, at: present(parseInstant(w.now())) })
  }
  const inPerson = add(one)
  add(three)
  await owner.do('updateParticipants', trialId, { updates: [{ participant: three, isArchived: true }] })
  await owner.call('PATCH', `/trials/${trialId}/consentDocuments/${documentId}`, {
    ...{ document: '<p>It asks more now.</p>', requiresReconsent: true },
  })
  const path = `/trials/${trialId}/consent-export` as const
  return { ...w, path, ann: given.body, inPerson, one, two, north }
})

type Row = Record<string, string>
const rowsIn = (csv: string): Row[] => parse(csv, { columns: true, bom: true })

test('csv says who signed which version, how they were verified, what they confirmed, and what became of it', async () => {
  const { owner, path, ann, inPerson } = await made()
  const rows = rowsIn((await owner.get(`${path}?type=csv`)).csv)
  expect(rows.map(({ consentId, status }) => [consentId, status])).toEqual([
    [ann._id, 'withdrawn'],
    [inPerson.consent, 'outdated'],
  ])
  expect(firstOf(rows)).toMatchObject({
    ...{ formKey: 'main', formName: 'Main sheet', version: '1', participantId: '', fullName: `'${HOSTILE}` },
    ...{ verifiedBy: 'email', email: 'ann@example.org', phone: '', confirmed: 'data', notConfirmed: 'call' },
    ...{ quizAttempts: '2', signatureMethod: 'typed', pdfSha256: ann.fileHash, withdrawnBy: 'Olga Owner' },
    ...{ withdrawalReason: "'-1+1 reasons", countersignedAt: '', hasPhoto: 'false', eligibilityConfirmed: '' },
  })
  expect(rows[1]).toMatchObject({ participantId: 'P-1', siteIds: 'N1', withdrawnAt: '', fullName: 'Ann Lee' })
  const plain = rowsIn((await owner.get(`${path}?type=csv&escape=none`)).csv)
  expect(firstOf(plain).fullName).toBe(HOSTILE)
})

test('statements, the course and the statuses are tables of their own', async () => {
  const { owner, path } = await made()
  const of = async (dataset: string) =>
    rowsIn((await owner.get(`${path}?type=csv&dataset=${dataset}` as `${typeof path}?type=csv`)).csv)
  const [data, call] = await of('statements')
  expect(data).toMatchObject({ statement: 'data', isConfirmed: 'true', initials: "'@AL", isOptional: 'false' })
  expect(call).toMatchObject({ statement: 'call', isConfirmed: 'false', title: 'يمكنكم الاتصال بي', initials: '' })
  const course = await of('course')
  expect(course.slice(0, 7).map(({ type, page, method, answers }) => [type, page || method || answers])).toEqual([
    ...[
      ['started', ''],
      ['page', 'sheet'],
      ['readToEnd', ''],
      ['quizFailed', '1'],
      ['quizPassed', '2'],
    ],
    ...[
      ['codeSent', 'email'],
      ['verified', 'email'],
    ],
  ])
  expect(course.every(({ at }) => /^2026-03-02T12:00:0\d\.\d{6}Z$/.test(at ?? ''))).toBe(true)
  const statuses = await of('statuses')
  expect(
    statuses.map(({ participantId, status, version, newestVersion }) => [
      participantId,
      status,
      version,
      newestVersion,
    ]),
  ).toEqual([
    ['P-1', 'outdated', '1', '2'],
    ['P-2', 'missing', '', '2'],
  ])
})

test('the workbook has the same in four sheets, and json the same in records', async () => {
  const { owner, path, fetch } = await made()
  const { request } = await owner.get(`${path}?type=excel`)
  const book = read(await (await fetch(request)).bytes(), { cellFormula: true })
  expect(book.SheetNames).toEqual(['Consents', 'Statements', 'Course', 'Statuses'])
  const sheet = present(book.Sheets.Consents)
  const [first] = utils.sheet_to_json<Row>(sheet)
  expect(first).toMatchObject({ fullName: HOSTILE, status: 'withdrawn', version: 1, quizAttempts: 2 })
  expect(Object.values(sheet).every((cell) => cell.f === undefined)).toBe(true)
  const { consents, statuses } = await owner.get<'exportConsents'>(path)
  expect(consents.map(({ fullName, status }) => [fullName, status])).toEqual([
    ...[
      [HOSTILE, 'withdrawn'],
      ['Ann Lee', 'outdated'],
    ],
  ])
  expect(firstOf(consents)).toMatchObject({
    verifications: [{ method: 'email', address: 'ann@example.org' }],
    quiz: [
      { hasPassed: false, answers: [0] },
      { hasPassed: true, answers: [1] },
    ],
  })
  expect(statuses.map(({ participantId, sites, status }) => [participantId, sites, status])).toEqual([
    ...[
      ['P-1', ['N1'], 'outdated'],
      ['P-2', [], 'missing'],
    ],
  ])
  expect(utils.sheet_to_json(present(book.Sheets.Statuses))).toHaveLength(statuses.length)
  expect(utils.sheet_to_json(present(book.Sheets.Course))).toHaveLength(consents.flatMap(({ course }) => course).length)
})

test('without the permission nothing personal is in it; answers of the quiz are for readers of forms', async () => {
  const { staff, trialId, path, fetch } = await made()
  const reader = staff(trialId, ['trial.readTrialConsents', 'trial.exportData'])
  const { csv } = await reader.get(`${path}?type=csv`)
  expect(Object.keys(firstOf(rowsIn(csv)))).not.toContain('fullName')
  const { request } = await reader.get(`${path}?type=excel`)
  const book = read(await (await fetch(request)).bytes())
  const sheets = Object.values(book.Sheets).map((sheet) => utils.sheet_to_csv(sheet))
  const json = await reader.get<'exportConsents'>(path)
  for (const text of [csv, JSON.stringify(json), ...sheets])
    expect(text).not.toMatch(/HYPERLINK|Ann Lee|@example|@AL|reasons/)
  expect(firstOf(json.consents).quiz).toMatchObject([{ hasPassed: false }, { hasPassed: true }])
  expect(JSON.stringify(json)).not.toContain('answers')
})

test('staff of a site export the consents of its participants, with what is personal only where they may see it', async () => {
  const { owner, staff, trialId, north, path } = await made()
  const words = ['site.readTrialConsents', 'site.exportData', 'site.readParticipants']
  const plain = await staff(trialId, words, north).get<'exportConsents'>(path)
  expect([plain.consents.map(({ participantId }) => participantId), plain.statuses.length]).toEqual([['P-1'], 1])
  expect(firstOf(plain.consents).fullName).toBeUndefined()
  const personal = [...words, 'site.readParticipantPersonalInformation']
  expect(firstOf((await staff(trialId, personal, north).get<'exportConsents'>(path)).consents).fullName).toBe('Ann Lee')
  const filtered = await owner.get<'exportConsents'>(`${path}?sites=${north}`)
  expect([filtered.consents.length, filtered.statuses.length]).toEqual([1, 1])
})

test('what is asked wrongly is refused, and each export is in the trail', async () => {
  const { owner, staff, neighbours, trialId, documentId, path } = await made()
  const refused = async (query: string) => (await owner.call('GET', `${path}?${query}`)).status
  const others = neighbours()
  const other = (await others.owner.do('createTrial', others.team, { name: 'Other trial' }))._id
  expect([
    await refused('type=pdf'),
    await refused('dataset=course'),
    await refused('type=excel&escape=none'),
    await refused(`consentDocument=${trialId}`),
    await refused(`sites=${trialId}`),
    await refused('sites=all'),
    (await owner.call('GET', `/trials/${other}/consent-export`)).status,
    (await staff(trialId, ['trial.exportData']).call('GET', path)).status,
    (await staff(trialId, ['trial.readTrialConsents']).call('GET', path)).status,
  ]).toEqual([422, 422, 422, 422, 422, 422, 404, 403, 403])
  await owner.get(`${path}?type=csv&dataset=statuses&consentDocument=${documentId}`)
  const { entries } = await owner.do('readLogs', trialId, { type: 'exportConsents' })
  expect(firstOf(entries).event).toMatchObject({
    ...{ format: 'csv', dataset: 'statuses', consentDocument: documentId, rows: 2 },
  })
})
