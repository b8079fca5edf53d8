/** Resources made of texts, numbers and changes that FHIR represents differently. */
import { expect, test } from 'bun:test'
import { type AnyResource, facade } from './facade.study'

test('hostile labels, units and answers are written as FHIR allows it', async () => {
  const s = await facade()
  const { owner, trial, anna } = s
  const [BLANK, BELL] = ['§', '\u0007']
  const fields = [
    { format: 'choice', options: [{ label: 'a  b' }, { label: `bell${BELL}` }, { label: 'c', code: BLANK }] },
    { format: 'table', columns: [{ id: 'a b', label: BLANK, format: 'text' }] },
    { format: 'likert', scale: [{ value: 1, label: BLANK }], statements: [{ key: 'k 1', label: BLANK }] },
    { format: 'float', unit: BLANK },
    { format: 'paragraph' },
    { format: 'datetime' },
  ]
  const ids: string[] = []
  for (const [n, field] of fields.entries())
    ids.push((await owner.call('POST', `/trials/${trial}/data-types`, { name: `Field ${n}`, ...field })).body._id)
  // Labels of blanks only could be saved by earlier versions.
  s.db.run(`UPDATE dataTypes SET settings = replace(settings, '§', char(160)), unit = replace(unit, '§', char(160))`)
  const components = ids.map((dataType, n) => ({ id: `c${n}`, dataType, title: `${BELL}\u00a0` }))
  const { _id } = (await owner.call('POST', `/trials/${trial}/stages`, { name: 'Hostile', components })).body
  const values = [
    [`bell${BELL}`],
    [{ 'a b': '\u00a0' }],
    { 'k 1': 1 },
    1e21,
    ` half ${BELL}😀\t`,
    '9999-12-31T23:59:59.999999Z',
  ]
  const response = Object.fromEntries(values.map((value, n) => [ids[n], { value }]))
  expect((await owner.call('PUT', s.url(anna, _id), { response })).status).toBe(200)
  const { item } = await s.read(`Questionnaire/${_id}`)
  expect(item[0].answerOption.map(({ valueCoding }: AnyResource) => valueCoding.code)).toEqual([
    'a b',
    'bell\ufffd',
    'c',
  ])
  const [read] = await s.all(`QuestionnaireResponse?subject=${anna}&questionnaire=${_id}`)
  const answers = Object.fromEntries(
    read.item.map(({ linkId, answer }: AnyResource) => [ids.indexOf(linkId), answer?.[0]]),
  )
  expect(answers).toMatchObject({
    0: { valueCoding: { code: 'bell\ufffd', display: 'bell\ufffd' } },
    3: { valueDecimal: 1e21 },
    4: { valueString: ' half \ufffd😀\t' },
    5: { valueDateTime: '9999-12-31T23:59:59.999999Z' },
  })
  const empty = (await owner.call('POST', `/trials/${trial}/stages`, { name: 'Empty', components: [] })).body
  expect(await s.read(`Questionnaire/${empty._id}`)).not.toHaveProperty('item')
})

test('a response is amended by new answers, not by a judgement or a move', async () => {
  const s = await facade()
  const { _id } = (await s.enter({ pulse: 60 })).body
  const statusOf = async () => (await s.read(`QuestionnaireResponse/${_id}`)).status
  s.clock(1_000_000)
  const path = `/trials/${s.trial}/responses/${_id}`
  const changes = [
    ['PUT', `${path}/status`, { status: 'successful' }],
    ['DELETE', `${path}/allocations`],
    ['POST', `${path}/allocations?participant=${s.anna}`],
  ] as const
  for (const [method, at, body] of changes) expect(await s.owner.call(method, at, body)).toMatchObject({ status: 200 })
  const { createdAt, updatedAt } = (await s.owner.call('GET', path)).body.responses[0]
  expect([updatedAt > createdAt, await statusOf()]).toEqual([true, 'completed'])
  await s.enter({ pulse: 61 }, { updateNote: 'misread' })
  expect(await statusOf()).toBe('amended')
})
