import { describe, expect, test } from 'bun:test'
import { participants } from '#db/tables/index'
import { questionnaires } from '#design/questionnaires/questionnaires'
import type { FieldType } from '#design/stages/references'
import { type Id, newId } from '#kernel/id'
import { entriesOf } from '../../conduct/responses/answers'
import { sharedInFile, type World, world } from '../../harness'
import { present } from '../../present'
import { faults, study, unknown } from '../stages/stages.study'
import { examples } from './questionnaires.examples'
import { check } from './questionnaires.fill'

const ids = [...questionnaires.keys()]

const LIBRARY = '?creationType=stageLibrary'

const shared = sharedInFile(() => world())

function inTrial(w?: World) {
  const at = study(w)
  const from = (questionnaireId: string, more: Record<string, unknown> = {}) => ({
    importData: { questionnaireId },
    ...more,
  })
  return {
    ...at,
    from,
    use: (id: string, more = {}) => at.owner.post<'createStage'>(`${at.url}${LIBRARY}`, from(id, more)),
    types: async () => (await at.owner.do('listDataTypes', at.trial)).dataTypes,
  }
}

describe('the library', () => {
  test('lists every questionnaire with its terms, and only the fields needed to choose one', async () => {
    const { owner, trial } = inTrial()
    const { questionnaires: listed } = await owner.do('listQuestionnaires', trial)
    expect(listed.map(({ id }) => id)).toEqual(ids)
    const { dataTypes, stage, ...about } = questionnaires.get('phq-9')!
    expect(listed[0]).toEqual({ ...about, questions: 10 })
    const questions = Object.fromEntries(listed.map((each) => [each.id, each.questions]))
    expect(questions).toMatchObject({ 'who-5': 5, audit: 10, 'rand-36': 36, ecog: 1, nihss: 16 })
  })

  test('is for staff who may read the trial', async () => {
    const { staff, neighbours, nobody, trial, db } = inTrial()
    const url = `/trials/${trial}/questionnaire-library` as const
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
  test.each(ids)('%s can be created twice in a trial, and scores both times', async (id) => {
    const { use, types, trial } = inTrial(await shared())
    const file = questionnaires.get(id)!
    for (const nth of [1, 2]) {
      const stage = await use(id)
      expect(stage).toMatchObject({ trial, name: file.stage.name, description: file.stage.description, index: nth - 1 })
      expect(stage).toMatchObject({ adHoc: file.stage.adHoc ?? false, enabled: true, onSubmitRules: [] })
      const own = (await types()).slice(-file.dataTypes.length)
      expect(own.map(({ code }) => code)).toEqual(file.dataTypes.map(({ code }) => (nth === 1 ? code : `${code}_2`)))
      const codeOf = new Map(own.map(({ _id }, index) => [_id as string, file.dataTypes[index]!.code]))
      expect(stage.components?.map(({ dataType }) => codeOf.get(dataType ?? ''))).toEqual(
        file.stage.components.map(({ dataType }) => dataType ?? undefined),
      )
      const byCode = new Map(own.map((each) => [codeOf.get(each._id)!, each]))
      const typeOf = (code: string) => byCode.get(code) as FieldType & { _id: Id }
      for (const example of examples[id]!) {
        check(
          { stage: { components: present(stage.components) }, typeOf },
          new Map(own.map((each) => [each._id, each as FieldType])),
          example,
        )
      }
    }
    expect(await types()).toHaveLength(2 * file.dataTypes.length)
  })

  test('is answered like any other stage', async () => {
    const { use, types, owner, trial, db } = inTrial()
    const stage = await use('phq-9')
    const participant = newId(0)
    db.insert(participants).values({ _id: participant, createdAt: 0, trial, id: 'P-1', idSort: 'p-1' }).run()
    const [phq9, , total] = await types()
    const value = Object.fromEntries([1, 2, 3, 0, 1, 2, 0, 1, 0].map((answer, index) => [`q${index + 1}`, answer]))
    const response = await owner.do('enterResponse', trial, participant, stage._id, {
      response: { [phq9!._id]: { value } },
    })
    expect(response.score).toBe(10)
    expect(present(response.response[total!._id]).value).toBe(10)
  })

  test('gets free codes, also in its calculations', async () => {
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

  test('has the fields that are sent with the request', async () => {
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

  test('adds one audit entry, which names its new data types', async () => {
    const { use, types, db, trial } = inTrial()
    const stage = await use('gad-2')
    const entries = entriesOf({ db }, trial)
    expect(entries.map(({ type }) => type)).toEqual(['createStage'])
    const event = JSON.parse(entries[0]!.event)
    expect(event).toMatchObject({ questionnaireId: 'gad-2', after: { _id: stage._id } })
    expect(event.dataTypes.map(({ _id }: { _id: Id }) => _id)).toEqual((await types()).map(({ _id }) => _id))
  })

  test('is refused for an invalid request, and nothing is created', async () => {
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
    expect((await owner.do('listDataTypes', locked)).dataTypes).toEqual([])
  })
})
