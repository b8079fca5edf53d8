import { describe, expect, test } from 'bun:test'
import { lastExamined } from '#conduct/queries/automatic/cursorStore'
import { raiseAutomatic } from '#conduct/queries/automatic/raise'
import { parseInstant } from '#kernel/time'
import { world } from '../../harness'
import { collectStatements } from '../../plan'
import { atLeastOne, firstOf } from '../../present'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'
import { automaticQueryStudy, INSTRUCTIONS } from './automaticQueries.study'

describe('automatic queries', () => {
  test('are raised on what looks mistaken, and assigned as the trial says', async () => {
    const s = await automaticQueryStudy()
    for (const weight of [70, 71]) await s.weigh(weight)
    expect(await s.found()).toEqual([])
    const { _id } = await s.weigh(155)
    const [query, ...more] = atLeastOne(await s.found())
    expect(more).toEqual([])
    expect(query).toMatchObject({
      response: _id,
      dataType: s.ids.body!,
      participant: s.anna,
      status: 'open',
      isAutomatic: true,
      rule: 'unit',
      createdBy: null,
      assignees: [s.nurse._id],
      instructions: INSTRUCTIONS,
      messages: [{ createdBy: null, text: expect.stringContaining('in pounds instead of kilograms') }],
    })
    const { type, event } = entriesOf(s, s.trial).findLast(({ type }) => type === 'raiseQuery')!
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'raiseQuery', userType: 'system' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { query: query._id } }])
    expect([type, JSON.parse(event)]).toMatchObject(['raiseQuery', { query: query._id, rule: 'unit', response: _id }])
  })

  test('ask in the language of the trial, in its own words where it has some', async () => {
    const s = await automaticQueryStudy({ languages: ['de', 'en'] })
    await s.owner.do('updateParticipant', s.trial, s.anna, { language: 'fr' })
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    const own = { de: { 'automaticQuery.unit': '{name}: {value}? {slip}?' } }
    const asked = async () => (await s.found()).map(({ messages }) => firstOf(messages).text)
    expect(await asked()).toEqual([
      '„Body (Gewicht)“ ist 155. Der Wert wurde vielleicht in Pfund statt in Kilogramm eingegeben. Bitte gleichen Sie den Wert mit den Quelldaten ab.',
    ])
    await s.owner.do('updateTrial', s.trial, { texts: own })
    for (const weight of [60, 61, 133]) await s.weigh(weight, s.bert)
    expect(await asked()).toContain('Body (Gewicht): 133? in Pfund statt in Kilogramm?')
  })

  test('are raised once for each response, field, rule and value', async () => {
    const s = await automaticQueryStudy()
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    const at = s.url(s.anna, `${s.stage}::2`)
    expect(await s.found()).toHaveLength(1)
    await s.enter({ symptom: 'cough' }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(1)
    await s.enter({ body: { height: 180, weight: 160, bmi: 49.4 } }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(2)
    await s.enter({ body: { height: 180, weight: 155, bmi: 47.8 } }, {}, s.owner, at)
    expect(await s.found()).toHaveLength(2)
  })

  test('compare with what is usual in the study', async () => {
    const s = await automaticQueryStudy()
    for (let n = 0; n < 30; n++) await s.enter({ glucose: 5 + (n % 10) / 10 }, {}, s.owner, s.url(s.bert))
    await s.enter({ glucose: 19.5 })
    expect((await s.found()).map(({ rule }) => rule)).toEqual(['trialRange'])
  })

  test('are told to each assignee in one e-mail, however many they are', async () => {
    const s = await automaticQueryStudy()
    const lead = s.staff(s.trial, ['trial.admin'])
    await s.owner.do('updateTrial', s.trial, { smartAutomaticQueryAssignees: [s.nurse._id, lead._id] })
    const mailTexts = () =>
      s.db.$client.query<Record<string, string>, []>('SELECT recipient, subject, body FROM outbox ORDER BY _id').all()
    for (let n = 0; n < 10; n++) for (const of of [s.anna, s.bert]) await s.weigh(70 + (n % 2), of)
    await s.found()
    expect(mailTexts()).toEqual([])
    for (const of of [s.anna, s.bert]) await s.weigh(155, of)
    const { length } = await s.found()
    expect(length).toBe(2)
    const body = 'Study: Breath study\nParticipant P-1, form “Visit”\nParticipant P-2, form “Visit”\n'
    const mail = { subject: `Breath study: ${length} queries for you`, body }
    expect(mailTexts()).toEqual([s.nurse, lead].map(({ email }) => ({ recipient: email, ...mail })))
    await s.found()
    expect(mailTexts()).toHaveLength(2)
    // Nobody gets an e-mail about a query that is hidden from them.
    await s.owner.do('updateDataType', s.ids.body, { isPii: true })
    await s.weigh(156)
    expect(await s.found()).toHaveLength(length + 1)
    expect(mailTexts().slice(2)).toMatchObject([{ recipient: lead.email, subject: 'Breath study: a query for you' }])
  })

  test('are closed by those they are assigned to', async () => {
    const s = await automaticQueryStudy()
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    const { _id } = firstOf(await s.found())
    const other = s.staff(s.trial, ['trial.write'])
    expect((await other.call('PUT', `/queries/${_id}`, { status: 'closed' })).status).toBe(403)
    expect((await s.nurse.do('answerQuery', _id, { text: 'They were pounds.' })).status).toBe('answered')
    expect((await s.nurse.do('updateQuery', _id, { status: 'closed' })).status).toBe('closed')
  })

  test('are neither shown nor assigned to those who do not see the field', async () => {
    const s = await automaticQueryStudy()
    await s.owner.do('updateDataType', s.ids.body, { isPii: true })
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    expect((await s.found()).map(({ assignees }) => assignees)).toEqual([[]])
    expect((await s.nurse.do('listQueries', s.trial)).queries).toEqual([])
  })

  test('leave alone what came before, what is nobody’s, and studies that do not ask', async () => {
    const s = await automaticQueryStudy({ smartAutomaticQueriesEnabled: false })
    for (const weight of [70, 71, 155]) await s.weigh(weight)
    expect(await s.found()).toEqual([])
    expect(lastExamined(s.db, 'automaticQueries')).toBe(3)
    await s.owner.do('updateTrial', s.trial, { smartAutomaticQueriesEnabled: true })
    expect(await s.found()).toEqual([])
    await s.weigh(157)
    s.db.$client.run('UPDATE storedResponses SET participant = NULL WHERE stageRecurrence = 3')
    expect(await s.found()).toEqual([])
    s.db.$client.run(`UPDATE teams SET features = '{"ai":false}'`)
    await s.weigh(710)
    expect(await s.found()).toEqual([])
  })

  test('go on where they were, a bounded part at a time', async () => {
    const s = await automaticQueryStudy()
    for (let n = 0; n < 7; n++) await s.weigh(70)
    const now = parseInstant(s.now())!
    const more = Array.from({ length: 4 }, () => [raiseAutomatic(s.db, now, 2), lastExamined(s.db, 'automaticQueries')])
    expect(more).toEqual([
      [true, 2],
      [true, 4],
      [true, 6],
      [false, 7],
    ])
  })

  test('pass over submissions that nothing checks, and read none of their responses', async () => {
    const w = world()
    const build = () => study({ world: w, stage: { adHoc: true } })
    const [s, other] = [await build(), await build()]
    const sent = ({ enter, anna, url }: typeof s) => enter({ pulse: 70 }, {}, w.owner, url(anna))
    for (let n = 0; n < 7; n++) await sent(s)
    const now = parseInstant(w.now())!
    const collector = collectStatements(w.db.$client)
    expect([raiseAutomatic(w.db, now, 2), lastExamined(w.db, 'automaticQueries')]).toEqual([false, 7])
    expect(collector.end().filter((sql) => /FROM "?responses/.test(sql))).toEqual([])
    // The other study has them switched on: its submissions, and no others, count for the limit of a part.
    await w.owner.do('updateTrial', other.trial, { smartAutomaticQueriesEnabled: true })
    for (const of of [s, other, other, s, other]) await sent(of)
    const parts = Array.from({ length: 3 }, () => [
      raiseAutomatic(w.db, now, 2),
      lastExamined(w.db, 'automaticQueries'),
    ])
    expect(parts).toEqual([
      [true, 11],
      [false, 12],
      [false, 12],
    ])
  })
})
