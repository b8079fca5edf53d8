/** The study in FHIR R4, checked against the structure definitions of the specification. */
import { expect, test } from 'bun:test'
import { searchParameters } from '#exchange/fhir/capability'
import { operations } from '#start/app'
import { type AnyResource, facade } from './facade.study'
import { problemsOf } from './validator'

const answers = {
  symptom: 'dry  cough',
  diary: 'Slept badly.\nWoke twice.',
  pulse: 60,
  glucose: 5.5,
  pain: 35,
  sleep: 3,
  girth: 80.5,
  visitday: '2026-03-01T00:00:00Z',
  takenat: '2026-03-01T08:30:00.000000Z',
  wokeat: '06:45',
  smoker: ['No'],
  effects: ['Nausea', 'Rash'],
  mood: { q1: 2, q2: null },
  drugs: [{ name: 'Aspirin', dose: 100 }, { name: 'Ibuprofen' }],
  body: { height: 180, weight: 81 },
}

test('a form of every format is a Questionnaire, and its answers fit it', async () => {
  const s = await facade()
  expect((await s.enter(answers)).status).toBe(200)
  const [questionnaire] = await s.all('Questionnaire')
  const [response] = await s.all(`QuestionnaireResponse?subject=Patient/${s.anna}`)
  expect(response.questionnaire).toBe(questionnaire.url)
  expect(response.subject).toEqual({ reference: `Patient/${s.anna}` })
  expect(response.status).toBe('completed')
  const byCode = Object.fromEntries(
    Object.entries(s.ids).map(([code, id]) => [code, response.item.filter(({ linkId }: AnyResource) => linkId === id)]),
  )
  const answer = (code: string) => byCode[code]![0].answer
  expect(answer('symptom')).toEqual([{ valueString: 'dry  cough' }])
  expect(answer('pulse')).toEqual([{ valueInteger: 60 }])
  expect(answer('glucose')).toEqual([{ valueDecimal: 5.5 }])
  expect(answer('visitday')).toEqual([{ valueDate: '2026-03-01' }])
  expect(answer('takenat')).toEqual([{ valueDateTime: '2026-03-01T08:30:00.000000Z' }])
  expect(answer('wokeat')).toEqual([{ valueTime: '06:45:00' }])
  expect(answer('smoker')).toEqual([{ valueCoding: { code: '0', display: 'No' } }])
  expect(answer('effects')).toMatchObject([
    { valueCoding: { display: 'Nausea' } },
    { valueCoding: { display: 'Rash' } },
  ])
  expect(answer('double')).toEqual([{ valueDecimal: 120 }])
  expect(byCode.mood![0].item).toEqual([
    { linkId: `${s.ids.mood}.q1`, answer: [{ valueCoding: { code: '2', display: 'level 2' } }] },
  ])
  expect(byCode.drugs!.map(({ item }: AnyResource) => item.map(({ answer }: AnyResource) => answer[0]))).toEqual([
    [{ valueString: 'Aspirin' }, { valueInteger: 100 }],
    [{ valueString: 'Ibuprofen' }],
  ])
  expect(byCode.body![0].item.map(({ answer }: AnyResource) => answer[0].valueDecimal)).toEqual([180, 81, 25])

  // Every item of the response is one of the questionnaire, at the same place, with answers of its type.
  const TYPES: Record<string, string[]> = { choice: ['valueCoding'], text: ['valueString'], string: ['valueString'] }
  const fits = (items: AnyResource[], questions: AnyResource[]): void => {
    for (const item of items) {
      const question = questions.find(({ linkId }) => linkId === item.linkId)
      expect(question).toBeDefined()
      const name = `value${question.type[0].toUpperCase()}${question.type.slice(1)}`
      for (const each of item.answer ?? [])
        expect(TYPES[question.type] ?? [name]).toContain(Object.keys(each)[0] as string)
      if ((item.answer ?? []).length > 1) expect(question.repeats).toBe(true)
      fits(item.item ?? [], question.item ?? [])
    }
  }
  fits(response.item, questionnaire.item)
  expect(response.item).toHaveLength(Object.keys(answers).length + 2) // a row more of the table, and the calculation
})

test('an uploaded file is an attachment, without its name', async () => {
  const s = await facade()
  const about = `name=anna-quux.pdf&size=4&type=application/pdf&forType=participant&forId=${s.anna}`
  const { signedRequestURL, fileName } = await s.owner.get<'requestFileUpload'>(
    `/uploads/file/request?${about}` as const,
  )
  await s.fetch(signedRequestURL, { method: 'PUT', body: 'scan', headers: { 'Content-Type': 'application/pdf' } })
  expect((await s.enter({ letter: { fileName, name: 'anna-quux.pdf' } })).status).toBe(200)
  const [response] = await s.all(`QuestionnaireResponse?subject=${s.anna}`)
  const { url, ...rest } = response.item[0].answer[0].valueAttachment
  expect([rest, await (await s.fetch(url)).text()]).toEqual([{}, 'scan'])
  expect(decodeURIComponent(url)).not.toContain('quux')
})

test('conditions become enableWhen, and headings are shown', async () => {
  const s = await facade()
  const { ids, owner, trial } = s
  const when = (dataType: string, operator: string, value?: unknown, more = {}) => ({
    dataType,
    operator,
    value,
    ...more,
  })
  const conditions = [
    when(ids.pulse!, 'more', 100),
    when(ids.glucose!, 'less', 4.5),
    when(ids.smoker!, 'equal', 'Yes'),
    when(ids.symptom!, 'notequal', 'none'),
    when(ids.visitday!, 'exists'),
    when(ids.mood!, 'equal', 2, { statement: 'q1' }),
  ]
  const fields = ['pulse', 'glucose', 'smoker', 'symptom', 'visitday', 'mood']
  const components = [
    { id: 'head', type: 'title', title: 'Your day' },
    { id: 'line', type: 'sectionDivider', title: 'More' },
    ...fields.map((code) => ({ id: code, dataType: ids[code], title: code, isRequired: true })),
    ...conditions.map((condition, at) => ({
      ...{ id: `c${at}`, title: 'Why?', condition },
      dataType: [ids.diary, ids.pain, ids.sleep, ids.girth, ids.takenat, ids.wokeat][at],
    })),
  ]
  const { _id } = (await owner.call('POST', `/trials/${trial}/stages`, { name: 'Conditions', components })).body
  const { item } = await s.read(`Questionnaire/${_id}`)
  expect(item.slice(0, 2)).toEqual([
    { linkId: 'head', text: 'Your day', type: 'display' },
    { linkId: 'line', text: 'More', type: 'display' },
  ])
  expect(item.slice(2, 8).every(({ required }: AnyResource) => required)).toBe(true)
  expect(item.slice(8).map(({ enableWhen }: AnyResource) => enableWhen[0])).toEqual([
    { question: ids.pulse, operator: '>', answerInteger: 100 },
    { question: ids.glucose, operator: '<', answerDecimal: 4.5 },
    { question: ids.smoker, operator: '=', answerCoding: { code: '1' } },
    { question: ids.symptom, operator: '!=', answerString: 'none' },
    { question: ids.visitday, operator: 'exists', answerBoolean: true },
    { question: `${ids.mood}.q1`, operator: '=', answerCoding: { code: '2' } },
  ])
})

test('the study, its participants and their participation are pseudonymous resources', async () => {
  const s = await facade()
  const { owner, trial, anna, bert } = s
  const secrets = {
    name: 'Anna Quux',
    dob: '1971-04-23',
    email: 'quux@example.org',
    phone: '+44 7700 900123',
    whatsapp: '+447700900124',
  }
  await owner.do('updateParticipant', trial, anna, secrets)
  await owner.do('updateParticipant', trial, bert, { isWithdrawn: true })
  const [study] = await s.all('ResearchStudy')
  expect(study).toMatchObject({ id: trial, status: 'active' })
  expect(await s.read(`ResearchStudy/${trial}`)).toMatchObject({ id: trial, title: study.title })
  const patients = await s.all('Patient')
  expect(patients.map(({ id }) => id).toSorted()).toEqual([anna, bert, s.carl].toSorted())
  expect(await s.read(`Patient/${anna}`)).toEqual({
    resourceType: 'Patient',
    id: anna,
    meta: { security: [{ system: 'http://terminology.hl7.org/CodeSystem/v3-ObservationValue', code: 'PSEUDED' }] },
    identifier: [{ system: `http://localhost${s.base}/participant-id`, value: 'P-1' }],
    active: true,
  })
  expect(await s.read(`ResearchSubject/${bert}`)).toMatchObject({
    status: 'withdrawn',
    study: { reference: `ResearchStudy/${trial}` },
    individual: { reference: `Patient/${bert}` },
  })
  const everything = JSON.stringify([...patients, ...(await s.all('ResearchSubject')), study])
  for (const secret of Object.values(secrets)) expect(everything).not.toContain(secret)
  expect(await s.all('Consent')).toEqual([])
})

test('searches by ids, references and identifiers, page by page', async () => {
  const s = await facade()
  const { owner, trial, anna, bert, carl } = s
  const components = [{ id: 'pulse', dataType: s.ids.pulse!, title: 'Pulse' }]
  const diary = (await owner.do('createStage', trial, { name: 'Diary', adHoc: true, components }))._id
  for (const each of [anna, bert, carl]) await s.enter({ pulse: 60 }, {}, owner, s.url(each))
  for (const pulse of [61, 62, 63]) expect((await s.enter({ pulse }, {}, owner, s.url(anna, diary))).status).toBe(200)
  const ids = async (path: string) => (await s.all(path)).map(({ id }) => id)
  const three = [anna, bert, carl].toSorted()
  for (const count of [1, 2, 3, 50]) {
    expect(await ids(`Patient?_count=${count}`)).toEqual(three)
    expect(await ids(`ResearchSubject?_count=${count}`)).toEqual(three)
    expect(await ids(`Patient?_count=${count}&_id=${carl},${anna},nobody`)).toEqual([anna, carl].toSorted())
    const responses = await s.all(`QuestionnaireResponse?_count=${count}`)
    expect(responses.map(({ subject }) => subject.reference)).toEqual(
      three.flatMap((each) => Array(each === anna ? 4 : 1).fill(`Patient/${each}`)),
    )
    expect(new Set(responses.map(({ id }) => id)).size).toBe(responses.length)
  }
  expect(await ids('Patient?identifier=P-2&_format=application/fhir+json')).toEqual([bert])
  expect(await ids(`Patient?identifier=http://localhost${s.base}/participant-id|P-2`)).toEqual([bert])
  // A number of another system that looks the same is somebody else, perhaps.
  expect(await ids('Patient?identifier=http://hospital.example/mrn|P-2')).toEqual([])
  expect(await ids('Patient?identifier=|P-2')).toEqual([])
  expect(await ids('Patient?identifier=P-1,P-2,nobody')).toEqual([anna, bert].toSorted())
  const odd = (await owner.do('registerParticipants', trial, { participantId: 'a|b,c' }))._id
  expect(await ids(`Patient?identifier=${encodeURIComponent('a\\|b\\,c')}`)).toEqual([odd])
  expect(await ids(`ResearchSubject?individual=Patient/${bert}`)).toEqual([bert])
  expect(await ids(`ResearchSubject?individual=Patient/${bert},${anna}`)).toEqual([anna, bert].toSorted())
  expect(await ids(`ResearchSubject?individual=https://study.example${s.base}/Patient/${bert}`)).toEqual([bert])
  expect(await ids(`ResearchSubject?individual=https://elsewhere.example/Patient/${bert}`)).toEqual([])
  expect(await ids(`ResearchSubject?individual=Group/${bert}`)).toEqual([])
  const both = await s.all(`QuestionnaireResponse?subject=Patient/${bert},Patient/${carl}&_count=1`)
  expect(both.map(({ subject }) => subject.reference).toSorted()).toEqual(
    [bert, carl].toSorted().map((each) => `Patient/${each}`),
  )
  expect(await ids(`ResearchSubject?patient=${bert}&identifier=P-1`)).toEqual([])
  expect(await ids(`ResearchSubject?study=ResearchStudy/${trial}&_id=${bert}`)).toEqual([bert])
  expect(await ids(`ResearchSubject?study=ResearchStudy/${anna}`)).toEqual([])
  expect(await ids(`Questionnaire?_id=${s.stage}`)).toEqual([s.stage])
  expect(await ids(`Questionnaire?_id=${anna}`)).toEqual([])
  expect(await ids(`ResearchStudy?_id=${anna}`)).toEqual([])
  const [first] = await s.all(`QuestionnaireResponse?patient=${bert}`)
  expect(await ids(`QuestionnaireResponse?_id=${first.id}`)).toEqual([first.id])
  expect(await s.read(`QuestionnaireResponse/${first.id}`)).toEqual(first)
  expect(await ids(`QuestionnaireResponse?_id=${first.id}&subject=Patient/${anna}`)).toEqual([])
  expect(await ids(`QuestionnaireResponse?subject=Patient/${bert}&questionnaire=Questionnaire/${anna}`)).toEqual([])
  const canonical = `http://localhost${s.base}/Questionnaire/${s.stage}`
  expect(await ids(`QuestionnaireResponse?subject=${bert}&questionnaire=${canonical}`)).toEqual([first.id])
  expect(await ids(`QuestionnaireResponse?questionnaire=${s.stage}`)).toHaveLength(3)
  expect(await ids(`QuestionnaireResponse?questionnaire=${diary}&patient=${anna}&_count=2`)).toHaveLength(3)
})

test('refusals are OperationOutcomes', async () => {
  const s = await facade()
  const cases: [string, typeof s.owner, number, string][] = [
    [`${s.base}/Patient`, s.nobody as typeof s.owner, 401, 'login'],
    [`${s.base}/Patient/nobody`, s.owner, 404, 'not-found'],
    [`${s.base}/Consent/${'0'.repeat(24)}`, s.owner, 404, 'not-found'],
    [`${s.base}/Patient?_count=0`, s.owner, 422, 'invalid'],
    [`${s.base}/Patient?birthdate=1971`, s.owner, 422, 'invalid'],
    [`${s.base}/Observation`, s.owner, 404, 'not-found'],
  ]
  for (const [path, by, status, code] of cases) {
    const { status: actual, body, headers } = await by.call('GET', path)
    expect([path, actual, body.issue?.[0].code]).toEqual([path, status, code])
    expect(headers.get('content-type')).toBe('application/fhir+json')
    expect(problemsOf(body)).toEqual([])
  }
})

test('the CapabilityStatement names what there is', async () => {
  const s = await facade()
  const statement = await s.read('metadata')
  expect(statement.fhirVersion).toBe('4.0.1')
  expect(statement.rest[0].resource.map(({ type }: AnyResource) => type)).toEqual(Object.keys(searchParameters))
  for (const [type, parameters] of Object.entries(searchParameters)) {
    const search = operations.find(({ path }) => path === `/trials/:trialId/fhir/${type}`)!
    const accepted = Object.keys((search.query as AnyResource).properties).filter(
      (name) => !/^_(count|after|format)$/.test(name),
    )
    expect(parameters.map(([name]) => name).toSorted()).toEqual(accepted.toSorted())
    expect(operations.some(({ path }) => path.startsWith(`/trials/:trialId/fhir/${type}/:`))).toBe(true)
  }
  expect(operations.filter(({ path, method }) => path.includes('/fhir/') && method !== 'GET')).toEqual([])
})

test('the check finds faults', () => {
  const right = {
    resourceType: 'ResearchSubject',
    status: 'on-study',
    study: { reference: 'ResearchStudy/1' },
    individual: { reference: 'Patient/1' },
  }
  expect(problemsOf(right)).toEqual([])
  for (const [change, found] of [
    [{ status: 'here' }, 'is no code'],
    [{ status: undefined }, 'status: is missing'],
    [{ name: 'Anna' }, 'name: is no element'],
    [{ identifier: { value: '1' } }, 'identifier: is no list'],
    [{ period: { start: '1 March' } }, 'is not written as a dateTime'],
    [{ individual: { reference: 'ResearchStudy/1' } }, 'refers to a ResearchStudy'],
    [{ id: 'a b' }, 'is not written'],
    [{ study: {} }, 'is empty'],
  ] as const)
    expect(problemsOf(JSON.parse(JSON.stringify({ ...right, ...change }))).join()).toContain(found)
  const group = { resourceType: 'Questionnaire', status: 'active', item: [{ linkId: '1', type: 'group' }] }
  expect(problemsOf(group).join()).toContain('que-1')
  const condition = { question: '2', operator: 'exists', answerString: 'x' }
  const when = {
    resourceType: 'Questionnaire',
    status: 'active',
    item: [{ linkId: '1', type: 'string', enableWhen: [condition] }],
  }
  expect(problemsOf(when).join()).toContain('names no item')
  expect(problemsOf(when).join()).toContain('que-7')
})
