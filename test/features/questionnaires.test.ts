import { describe, expect, test } from 'bun:test'
import { readdirSync } from 'node:fs'
import fc from 'fast-check'
import { participants } from '../../src/db/tables'
import type { DataType } from '../../src/features/dataTypes/model'
import { codeProblem, settingsProblems } from '../../src/features/dataTypes/rules'
import { questionnaires } from '../../src/features/questionnaires/list'
import type { Questionnaire } from '../../src/features/questionnaires/model'
import { compileForm, fillForm } from '../../src/features/responses/form'
import { componentsProblems, type FieldType } from '../../src/features/stages/checks'
import type { Component } from '../../src/features/stages/components'
import { type Id, newId } from '../../src/kernel/id'
import { parseInstant } from '../../src/kernel/time'
import { entriesOf } from './answers'
import { type Example, examples } from './questionnaires.examples'
import { faults, study, unknown } from './stages.study'

const now = parseInstant('2026-03-02T12:00:00Z')!
const every = [...questionnaires.values()]
const ids = every.map(({ id }) => id)

/** An example's answer as a form would send it. */
function answerOf(asked: FieldType, answer: unknown): unknown {
  if (asked.format === 'choice') return [asked.options!.find(({ code }) => code === answer)!.label]
  if (asked.format !== 'likert') return answer
  return Object.fromEntries((answer as unknown[]).map((value, index) => [asked.statements![index]!.key, value]))
}

type Filling = { stage: { components: Component[] }; typeOf: (code: string) => FieldType & { _id: Id } }

function fill({ stage, typeOf }: Filling, dataTypes: ReadonlyMap<Id, FieldType>, sent: Record<string, unknown>) {
  const bySent = Object.entries(sent).map(([code, value]) => [typeOf(code)._id, { value }])
  const filled = fillForm(compileForm(stage, dataTypes), {}, Object.fromEntries(bySent), { now, zone: 'UTC' })
  expect({ ...filled.wrong, ...filled.unfit, ...filled.missing }).toEqual({})
  return { score: filled.score, value: (code: string): unknown => filled.values[typeOf(code)._id] ?? null }
}

const fromFile = ({ dataTypes, stage }: Questionnaire) => {
  const types = new Map(dataTypes.map((each) => [each.code, { ...each, _id: each.code } as FieldType & { _id: Id }]))
  return { filling: { stage, typeOf: (code: string) => types.get(code)! }, types }
}

function check(filling: Filling, types: ReadonlyMap<Id, FieldType>, { answers, score, values }: Example) {
  const sent = Object.entries(answers).map(([code, answer]) => [code, answerOf(filling.typeOf(code), answer)])
  const filled = fill(filling, types, Object.fromEntries(sent))
  expect(filled.score).toBe(score)
  expect(Object.fromEntries(Object.keys(values).map((code) => [code, filled.value(code)]))).toEqual(values)
}

describe('the files', () => {
  test('are all in the list, each under its id, and each with worked examples', () => {
    const files = readdirSync('data/questionnaires').filter((file) => file.endsWith('.json'))
    expect(files.map((file) => file.replace('.json', '')).sort()).toEqual([...ids].sort())
    expect(new Set(ids).size).toBe(ids.length)
    expect(Object.keys(examples).sort()).toEqual([...ids].sort())
    expect(every.filter(({ source }) => !source.startsWith('Items follow')).length).toBeGreaterThanOrEqual(25)
  })

  test('name their source and their terms', () => {
    for (const { source, licence } of every) {
      expect(source.length).toBeGreaterThan(20)
      expect(licence).toMatch(/free|public|permission|licen[cs]e/i)
    }
  })

  test('have codes that no other file has', () => {
    const codes = every.flatMap(({ dataTypes }) => dataTypes.map(({ code }) => code))
    expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
  })

  test.each(ids)('%s is sound', (id) => {
    const { dataTypes, stage, scores, stageScore, interpretation } = questionnaires.get(id)!
    for (const dataType of dataTypes) {
      expect({ [dataType.code]: settingsProblems(dataType as FieldType) }).toEqual({ [dataType.code]: {} })
      expect(codeProblem(dataType.code)).toBeUndefined()
    }
    const types = new Map(dataTypes.map((each) => [each.code, each as FieldType]))
    expect(componentsProblems(stage.components, types)).toEqual([])
    // Every data type is asked or computed, and nothing that is computed is required.
    expect(stage.components.flatMap(({ dataType }) => dataType ?? []).sort()).toEqual([...types.keys()].sort())
    for (const { dataType, isRequired } of stage.components) {
      if (types.get(dataType ?? '')?.format === 'calculation') expect(isRequired).toBeUndefined()
    }
    for (const { code } of scores) expect(types.get(code)?.format).toBe('calculation')
    expect(stage.components.some(({ scoringRules }) => scoringRules?.length)).toBe(stageScore !== null)
    if (stageScore !== null) expect(scores[0]!.code).toBe(stageScore)
    const ends = new Map<string, number>()
    for (const { score, from, to } of interpretation) {
      const { min, max } = scores.find(({ code }) => code === score)!
      expect(from).toBeGreaterThanOrEqual(min!)
      expect(to).toBeLessThanOrEqual(max!)
      expect(to).toBeGreaterThanOrEqual(from)
      expect(from).toBeGreaterThan(ends.get(score) ?? Number.NEGATIVE_INFINITY)
      ends.set(score, to)
    }
  })

  test.each(ids)('%s scores as published', (id) => {
    const { filling, types } = fromFile(questionnaires.get(id)!)
    for (const example of examples[id]!) check(filling, types, example)
  })
})

/** Any answer that a data type takes; none for what is computed. */
function anyAnswer(asked: FieldType): fc.Arbitrary<unknown> | undefined {
  switch (asked.format) {
    case 'likert':
      return fc.record(
        Object.fromEntries(
          asked.statements!.map(({ key }) => [key, fc.constantFrom(...asked.scale!.map(({ value }) => value))]),
        ),
      )
    case 'choice':
      return fc.constantFrom(...asked.options!.map(({ label }) => [label]))
    case 'slider':
    case 'integer':
      return fc.integer({ min: asked.min as number, max: asked.max as number })
    case 'date':
      return fc.constant('2026-03-01T00:00:00Z')
    case 'calculation':
      return undefined
    default:
      return fc.constant('Something')
  }
}

test.each(every.filter(({ stageScore }) => stageScore !== null).map(({ id }) => id))(
  'the score of %s is what it is said to equal, and within its bounds, for any answers',
  (id) => {
    const { stageScore, scores, dataTypes } = questionnaires.get(id)!
    const { filling, types } = fromFile(questionnaires.get(id)!)
    const answers = dataTypes.flatMap((each) => {
      const answer = anyAnswer(each as FieldType)
      return answer ? [[each.code, answer] as const] : []
    })
    fc.assert(
      fc.property(fc.record(Object.fromEntries(answers)), (sent) => {
        const { score, value } = fill(filling, types, sent)
        expect(score).toBe(value(stageScore!) as number)
        for (const { code, min, max } of scores) {
          const result = value(code) as number
          if (min !== null) expect(result).toBeGreaterThanOrEqual(min)
          if (max !== null) expect(result).toBeLessThanOrEqual(max)
        }
      }),
      { numRuns: 30 },
    )
  },
)

const LIBRARY = '?creationType=stageLibrary'

function inTrial() {
  const at = study()
  const from = (questionnaireId: string, more: Record<string, unknown> = {}) => ({
    importData: { questionnaireId },
    ...more,
  })
  return {
    ...at,
    from,
    use: (id: string, more = {}) => at.owner.post(at.url + LIBRARY, from(id, more)),
    types: async (): Promise<(DataType & { code: string })[]> =>
      (await at.owner.get(`/trials/${at.trial}/data-types`)).dataTypes,
  }
}

describe('the library', () => {
  test('lists every questionnaire with its terms, and no more than is needed to choose', async () => {
    const { owner, trial } = inTrial()
    const { questionnaires: listed } = await owner.get(`/trials/${trial}/questionnaire-library`)
    expect(listed.map(({ id }: Questionnaire) => id)).toEqual(ids)
    const { dataTypes, stage, ...about } = questionnaires.get('phq-9')!
    expect(listed[0]).toEqual({ ...about, questions: 10 })
    const questions = Object.fromEntries(
      listed.map((each: Questionnaire & { questions: number }) => [each.id, each.questions]),
    )
    expect(questions).toMatchObject({ 'who-5': 5, audit: 10, 'rand-36': 36, ecog: 1, nihss: 16 })
  })

  test('is for staff who may read the trial', async () => {
    const { staff, neighbours, nobody, trial, db } = inTrial()
    const url = `/trials/${trial}/questionnaire-library`
    expect((await nobody.call('GET', url)).status).toBe(401)
    expect((await neighbours().owner.call('GET', url)).status).toBe(404)
    expect((await staff(trial, ['trial.readTasks']).call('GET', url)).status).toBe(403)
    expect(entriesOf({ db }, trial).map(({ type }) => type)).toEqual(['accessRefused'])
    expect((await staff(trial, ['trial.read']).call('GET', url)).status).toBe(200)
  })

  test('can be read in a locked trial', async () => {
    const { owner, makeTrial } = inTrial()
    const locked = makeTrial({ isLocked: true })
    expect((await owner.call('GET', `/trials/${locked}/questionnaire-library`)).status).toBe(200)
  })
})

describe('a stage from the library', () => {
  test.each(ids)('%s is made twice in a trial, and scores both times', async (id) => {
    const { use, types, trial } = inTrial()
    const file = questionnaires.get(id)!
    for (const nth of [1, 2]) {
      const stage = await use(id)
      expect(stage).toMatchObject({ trial, name: file.stage.name, description: file.stage.description, index: nth - 1 })
      expect(stage).toMatchObject({ adHoc: file.stage.adHoc ?? false, enabled: true, onSubmitRules: [] })
      const own = (await types()).slice(-file.dataTypes.length)
      expect(own.map(({ code }) => code)).toEqual(file.dataTypes.map(({ code }) => (nth === 1 ? code : `${code}_2`)))
      const codeOf = new Map(own.map(({ _id }, index) => [_id as string, file.dataTypes[index]!.code]))
      expect(stage.components.map(({ dataType }: Component) => codeOf.get(dataType ?? ''))).toEqual(
        file.stage.components.map(({ dataType }) => dataType ?? undefined),
      )
      const byCode = new Map(own.map((each) => [codeOf.get(each._id)!, each]))
      const typeOf = (code: string) => byCode.get(code) as FieldType & { _id: Id }
      for (const example of examples[id]!) {
        check({ stage, typeOf }, new Map(own.map((each) => [each._id, each as FieldType])), example)
      }
    }
    expect(await types()).toHaveLength(2 * file.dataTypes.length)
  })

  test('is filled in like any other', async () => {
    const { use, types, owner, trial, db } = inTrial()
    const stage = await use('phq-9')
    const participant = newId(0)
    db.insert(participants).values({ _id: participant, createdAt: 0, trial, id: 'P-1', idSort: 'p-1' }).run()
    const [phq9, , total] = await types()
    const value = Object.fromEntries([1, 2, 3, 0, 1, 2, 0, 1, 0].map((answer, index) => [`q${index + 1}`, answer]))
    const url = `/trials/${trial}/participants/${participant}/responses/${stage._id}`
    const response = await owner.put(url, { response: { [phq9!._id]: { value } } })
    expect(response.score).toBe(10)
    expect(response.response[total!._id].value).toBe(10)
  })

  test('takes codes that are free, also in what is computed from them', async () => {
    const { use, types, field } = inTrial()
    await field({ name: 'Anything', code: 'PHQ4' })
    await use('phq-4')
    expect((await types()).map(({ code, expression }) => [code, expression])).toEqual([
      ['PHQ4', undefined],
      ['phq4_2', undefined],
      ['phq4_total', 'sum(phq4_2)'],
      ['phq4_anxiety', 'phq4_2.q1 + phq4_2.q2'],
      ['phq4_depression', 'phq4_2.q3 + phq4_2.q4'],
    ])
  })

  test('differs in what is sent with it', async () => {
    const { use, make, names } = inTrial()
    await make({ name: 'First' })
    expect(await use('gad-2', { name: 'Anxiety', index: 0, enabled: false })).toMatchObject({
      name: 'Anxiety',
      index: 0,
      enabled: false,
      description: 'Anxiety over the last 2 weeks.',
    })
    expect(await names()).toEqual(['Anxiety', 'First'])
  })

  test('leaves one entry in the log, with the data types that came along', async () => {
    const { use, types, db, trial } = inTrial()
    const stage = await use('gad-2')
    const entries = entriesOf({ db }, trial)
    expect(entries.map(({ type }) => type)).toEqual(['createStage'])
    const event = JSON.parse(entries[0]!.event)
    expect(event).toMatchObject({ questionnaireId: 'gad-2', after: { _id: stage._id } })
    expect(event.dataTypes.map(({ _id }: DataType) => _id)).toEqual((await types()).map(({ _id }) => _id))
  })

  test('is refused where it is not asked for rightly, and nothing is made', async () => {
    const { owner, url, make, from, types, names } = inTrial()
    const source = await make({ name: 'Own' })
    const cases: [string, Record<string, unknown>, string[]][] = [
      [LIBRARY, from('phq-99'), ['importData']],
      [LIBRARY, { name: 'Without' }, ['importData']],
      [LIBRARY, { importData: {} }, ['importData']],
      [LIBRARY, from('x'.repeat(101)), ['importData']],
      [LIBRARY, from('phq-9', { copyFrom: source._id }), ['copyFrom']],
      [LIBRARY, from('phq-9', { enableAfter: { type: 'stage', stage: unknown } }), ['enableAfter']],
      ['', from('phq-9'), ['importData']],
      ['', from('phq-9', { name: 'Named' }), ['importData']],
    ]
    for (const [query, body, fields] of cases) {
      const answer = await owner.call('POST', url + query, body)
      expect([query, body, answer.status]).toEqual([query, body, 422])
      expect(faults(answer)).toEqual(fields)
    }
    expect((await owner.call('POST', url + LIBRARY, from('phq-99'))).body.message).toContain('"phq-99"')
    const other = await owner.call('POST', `${url}?creationType=elsewhere`, from('phq-9'))
    expect(other.status).toBe(422)
    expect(Object.keys(other.body.validations.query)).toEqual(['creationType'])
    expect(await types()).toEqual([])
    expect(await names()).toEqual(['Own'])
  })

  test('needs trial.write and an unlocked trial', async () => {
    const { staff, owner, trial, url, from, neighbours, makeTrial } = inTrial()
    const reader = staff(trial, ['trial.read'])
    expect((await reader.call('POST', url + LIBRARY, from('phq-9'))).status).toBe(403)
    expect((await neighbours().owner.call('POST', url + LIBRARY, from('phq-9'))).status).toBe(404)
    const locked = makeTrial({ isLocked: true })
    expect((await owner.call('POST', `/trials/${locked}/stages${LIBRARY}`, from('phq-9'))).status).toBe(403)
    expect((await owner.get(`/trials/${locked}/data-types`)).dataTypes).toEqual([])
  })
})
