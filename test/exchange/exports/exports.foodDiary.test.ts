/** The export of food diaries. */
import { expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { insert, rowById } from '#db/rows'
import { foodDiaryEntries } from '#db/tables/index'
import { newId } from '#kernel/id'
import { BANANA, diaryStudy } from '../../conduct/foodDiary/diary.study'

const rowsOf = (csv: string) => parse(csv, { columns: true }) as Record<string, string>[]

test('a row for each entry with what was eaten and every nutrient; what is not known is blank', async () => {
  const { owner, trial, diary, breakfast, bert, anna } = await diaryStudy()
  expect(rowsOf((await owner.do('exportResponses', trial, { type: 'csv', dataset: 'foodDiary' })).csv)).toEqual([])
  const apple = await owner.post<'createFoodDiaryEntry'>(diary, { ...breakfast, quantity: 2 })
  await owner.do('createFoodDiaryEntry', trial, bert, {
    ...breakfast,
    foodId: BANANA,
    date: '2026-03-01',
    meal: 'snack',
  })
  const rows = rowsOf((await owner.do('exportResponses', trial, { type: 'csv', dataset: 'foodDiary' })).csv)
  expect(rows).toHaveLength(2)
  expect(rows[0]).toMatchObject({
    entryId: apple._id,
    participantId: 'P-1',
    siteIds: 'N1',
    date: '2026-03-02',
    meal: 'breakfast',
    food: 'Apples, raw, with skin',
    portionGrams: '182',
    portionDescription: '1 medium',
    quantity: '2',
    grams: '364',
    createdByType: 'user',
    energy_kcal: '189.28',
    vitaminA_ug: '',
    vitaminB12_ug: '0',
  })
  expect(rows[1]).toMatchObject({ food: 'Bananas, raw', siteIds: 'S1', energy_kcal: '161.98' })
  const { entries } = await owner.do('readLogs', trial, { type: 'exportResponse' })
  expect(entries[0]!.event).toMatchObject({ format: 'csv', dataset: 'foodDiary', rows: 2 })
  await owner.do('updateParticipant', trial, anna, { isArchived: true })
  expect(
    rowsOf((await owner.do('exportResponses', trial, { type: 'csv', dataset: 'foodDiary' })).csv).map(
      ({ food }) => food,
    ),
  ).toEqual(['Bananas, raw'])
})

test('who sees one site exports that site; without the permission to export, nobody does', async () => {
  const { owner, trial, diary, breakfast, bert, north, staff } = await diaryStudy()
  await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  await owner.do('createFoodDiaryEntry', trial, bert, breakfast)
  const url = `/trials/${trial}/responses?type=csv&dataset=foodDiary` as const
  const keys = ['site.readParticipantStudyData', 'site.exportData']
  expect(
    rowsOf(
      (await staff(trial, keys, north).do('exportResponses', trial, { type: 'csv', dataset: 'foodDiary' })).csv,
    ).map(({ participantId }) => participantId),
  ).toEqual(['P-1'])
  expect((await staff(trial, ['trial.readParticipantStudyData']).call('GET', url)).status).toBe(403)
})

test('only csv has it, and only in one form', async () => {
  const { owner, trial } = await diaryStudy()
  for (const query of ['', '&type=json', '&type=excel', '&type=raw', '&type=csv&columns=single', '&type=csv&stage=x'])
    expect([query, (await owner.call('GET', `/trials/${trial}/responses?dataset=foodDiary${query}`)).status]).toEqual([
      query,
      422,
    ])
})

test('a long diary is exported page by page, each entry once', async () => {
  const { owner, trial, diary, breakfast, db } = await diaryStudy()
  const first = rowById(db, foodDiaryEntries, (await owner.post<'createFoodDiaryEntry'>(diary, breakfast))._id)!
  const last = 1_203
  for (let n = 1; n < last; n++)
    insert(db, foodDiaryEntries, { ...first, _id: newId(first.createdAt), quantity: (n % 9) + 1 })
  const rows = rowsOf((await owner.do('exportResponses', trial, { type: 'csv', dataset: 'foodDiary' })).csv)
  expect([rows.length, new Set(rows.map(({ entryId }) => entryId)).size]).toEqual([last, last])
  const page = await owner.get<'listFoodDiaryEntries'>(`${diary}?page=3`)
  expect([page.foodDiaryEntries.length, page.nextPageAvailable]).toEqual([203, false])
})
