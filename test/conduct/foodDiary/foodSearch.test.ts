/** The search of foods over HTTP. */
import { expect, test } from 'bun:test'
import { APPLE, diaryStudy } from './diary.study'

test('staff and participants find foods with their portions and nutrients', async () => {
  const { owner, search, signIn } = await diaryStudy()
  const { foods, nextPageAvailable, source } = await owner.get<'searchFoods'>(`${search}?q=aple&limit=2`)
  expect(foods[0]).toMatchObject({
    foodId: APPLE,
    name: 'Apples, raw, with skin',
    nutrients: { energy: 52 },
    portions: expect.arrayContaining([{ size: 182, unit: 'grams', description: '1 medium (3" dia)' }]),
  })
  expect([foods.length, nextPageAvailable, source]).toEqual([2, true, expect.stringContaining('FoodData Central')])
  const me = await signIn()
  expect(await me.get<'searchFoods'>(`${search}?q=aple&limit=2`)).toEqual({ foods, nextPageAvailable, source })
})

test('limit is 25 and offset 0 if left out; pages have every find once', async () => {
  const { owner, search } = await diaryStudy()
  const names = async (query: string) =>
    (await owner.get<'searchFoods'>(`${search}?q=raw&${query}` as `${typeof search}?${string}`)).foods.map(
      ({ foodId }) => foodId,
    )
  const all = await names('limit=100')
  expect(all).toHaveLength(100)
  expect(await names('')).toEqual(all.slice(0, 25))
  expect(await names('limit=10&offset=35')).toEqual(all.slice(35, 45))
  expect(await names('offset=10000')).toEqual([])
})

test('faulty queries are 422, other trials 404, and more than 30 searches a minute 429', async () => {
  const { owner, search, signIn, trial } = await diaryStudy()
  for (const query of [
    '',
    'q=',
    'q=%20',
    `q=${'x'.repeat(201)}`,
    'q=a&limit=0',
    'q=a&limit=101',
    'q=a&offset=-1',
    'q=%00',
  ])
    expect([query, (await owner.call('GET', `${search}?${query}`)).status]).toEqual([query, 422])
  for (const q of ['"', '*', 'a" OR b', 'NEAR(', 'words:milk', '-milk', '🍎', '(', "milk'; DROP TABLE foods", '%'])
    expect([q, (await owner.call('GET', `${search}?q=${encodeURIComponent(q)}`)).status]).toEqual([q, 200])
  const other = search.replace(trial, '0'.repeat(24))
  expect((await owner.call('GET', `${other}?q=milk`)).status).toBe(404)
  const me = await signIn()
  expect((await me.call('GET', `${other}?q=milk`)).status).toBe(404)
  for (let n = 0; n < 29; n++) expect((await me.call('GET', `${search}?q=milk`)).status).toBe(200)
  const refused = await me.call('GET', `${search}?q=milk`)
  expect([refused.status, refused.body['Allowed limit']]).toEqual([429, '30 per 1 minute'])
})
