/** Diaries and foods are found by indexes: the cost does not grow with the trial, nor with the table of foods. */
import { expect, test } from 'bun:test'
import { entriesOf } from '#conduct/foodDiary/store'
import { builtInTable } from '#design/foods/builtIn'
import { foodById, searchFoods } from '#design/foods/searchStore'
import { diaryPages, hasDiaries } from '#exchange/exports/foodDiaryStore'
import { diaryStudy } from './conduct/foodDiary/diary.study'
import { collectStatements, explained, scans } from './plan'

const sorts = (db: Parameters<typeof explained>[0], sql: string) =>
  explained(db, sql).filter(({ detail }) => detail.includes('TEMP B-TREE'))

test('no statement about diaries scans a table or sorts one', async () => {
  const { db, trial, anna, owner, diary, breakfast } = await diaryStudy()
  await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  const collector = collectStatements(db.$client)
  expect(entriesOf(db, anna, { from: '', to: '9999-12-31' }, 10, 0)).toHaveLength(1)
  expect([...diaryPages(db, trial, [{ sites: ['x'], groups: [] }])]).toEqual([])
  expect([...diaryPages(db, trial, [])].flat()).toHaveLength(1)
  expect(hasDiaries(db, trial)).toBe(true)
  const statements = collector.end()
  expect(statements.length).toBe(4)
  expect(
    statements.flatMap((sql) => [...scans(db.$client, sql), ...sorts(db.$client, sql)].map((scan) => [scan, sql])),
  ).toEqual([])
})

test('a search reads the beginning of what it finds, in the order of the table', () => {
  const table = builtInTable()
  foodById(table, 1)
  const collector = collectStatements(table)
  expect(searchFoods(table, 'milk', 5, 0)).toHaveLength(5)
  expect(foodById(table, 171688)).toBeDefined()
  const statements = collector.end()
  const wrong = statements.flatMap((sql) => explained(table, sql).map(({ detail }) => detail))
  expect(wrong.filter((detail) => /SCAN (f|foods|words|sources|s)\b/.test(detail))).toEqual([])
})
