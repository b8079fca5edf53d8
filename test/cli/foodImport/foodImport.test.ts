/** Imports of FoodData Central: what is taken over, left out and refused, and that a table is replaced whole or not at all. */
import { expect, test } from 'bun:test'
import { copyFileSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { importFoods } from '#cli/foodImport/importFoods'
import { reportLines } from '#cli/foodImport/report'
import { builtInFoods } from '#design/foods/builtIn'
import { foodsBeside } from '#design/foods/openStore'
import { foodById, searchFoods } from '#design/foods/searchStore'
import { tableInfoOf } from '#design/foods/tableStore'
import { APPLE, diaryStudy } from '../../conduct/foodDiary/diary.study'
import { temporaryFolder } from '../../temporary'
import { archive, csvFiles, jsonFiles } from './downloads'

const NOW = Date.UTC(2026, 2, 2) * 1000
const run = (folder: string, ...paths: string[]) => importFoods(folder, paths, NOW, () => {})
const tableIn = (folder: string) => foodsBeside(join(folder, 'trialbox.db'))
/** What is in the folder besides the table. */
const others = (folder: string) => readdirSync(folder).filter((name) => name !== 'foods.db')

test('the csv download: foods, categories, brands, portions and amounts', async () => {
  const folder = temporaryFolder()
  const { foods, source, report } = await run(folder, await archive(csvFiles()))
  const table = tableIn(folder)
  // One of the five is built in, one is an older version.
  expect([foods, source]).toEqual([builtInFoods().length + 3, 'USDA FoodData Central, 2024-10-31'])
  expect(tableInfoOf(table)).toEqual({ source, importedAt: NOW, foods })
  expect(foodById(table, 167512)).toEqual({
    foodId: 167512,
    name: 'Pillsbury Golden Layer Buttermilk Biscuits, Artificial Flavor, refrigerated dough',
    brand: null,
    category: 'Baked Products',
    type: 'srLegacy',
    source: 'USDA FoodData Central, SR Legacy (2019-04-01)',
    portions: [{ size: 34, description: '1 serving' }],
    amounts: { energy: 307.36138, protein: 5.88, fibre: 1.2 }, // from kJ
  })
  expect(foodById(table, 167516)!.portions).toEqual([{ size: 39, description: '1 waffle, square' }])
  // The rows of survey foods name nutrients by their older numbers.
  expect(foodById(table, 2709225)).toMatchObject({
    category: 'Bananas',
    amounts: { energy: 97, protein: 0.74 },
    portions: [{ size: 126, description: '1 banana' }],
  })
  expect(foodById(table, 2222222)).toMatchObject({
    brand: 'OREO (Nabisco Biscuit Company)',
    category: 'Cookies & Biscuits',
    portions: [{ size: 34, description: '3 cookies (34 g)' }],
    amounts: { energy: 468, fat: 20.6 },
  })
  expect(foodById(table, 1111111)).toBeUndefined()
  expect(report).toEqual({
    read: { srLegacy: 2, survey: 1, branded: 2 },
    leftOut: { 'samples and other rows that are no foods': 2, 'older versions of a product': 1 },
    refused: {},
  })
  for (const text of ['oreo', 'oreos', 'nabisco cookies', 'choclate nabisco sandwich'])
    expect([text, searchFoods(table, text, 1, 0)[0]?.foodId]).toEqual([text, 2222222])
  expect(foodById(table, APPLE)!.amounts.energy).toBe(52)
  expect(others(folder)).toEqual([])
})

test('what is refused is counted, with examples', async () => {
  const path = await archive(
    csvFiles({
      'food.csv':
        '"3333333","branded_food","  ","Snacks","2025-04-24"\n"x","branded_food","Nuts","Snacks",""\n"4444444","branded_food"\n"5555555","branded_food","Fog","",""\n',
      'food_nutrient.csv':
        '"11","2222222","1003","5000","","","","","","","","",""\n"12","2222222","1093","-3","","","","","","","","",""\n"13","2222222","1005","much","","","","","","","","",""\n',
    }),
  )
  const folder = temporaryFolder()
  const { report } = await run(folder, path)
  expect(report.refused).toEqual({
    'foods without a name': { count: 1, examples: ['food 3333333'] },
    'foods without a valid fdcId': { count: 1, examples: ['x'] },
    'rows with too few or too many cells': { count: 1, examples: [expect.stringContaining('food.csv, row 11')] },
    'amounts that 100 g cannot hold': {
      count: 3,
      examples: [
        'food 2222222: 5000 g of protein',
        'food 2222222: -3 mg of sodium',
        'food 2222222: NaN g of carbohydrate',
      ],
    },
  })
  expect(report.leftOut['foods without any amount that is kept here']).toBe(1)
  expect(reportLines(report)).toContain('refused  1: foods without a name, such as food 3333333')
  expect(foodById(tableIn(folder), 2222222)!.amounts).toEqual({ energy: 468, fat: 20.6 })
})

test('rows of a food that do not follow each other are joined, and the better number of a nutrient counts', async () => {
  const more = [
    '"20","167512","1008","307","","","","","","","","",""',
    '"21","167512","1004","16.5","","","","","","","","",""',
    '',
  ]
  const folder = temporaryFolder()
  await run(folder, await archive(csvFiles({ 'food_nutrient.csv': more.join('\n') })))
  expect(foodById(tableIn(folder), 167512)!.amounts).toEqual({ energy: 307, protein: 5.88, fat: 16.5, fibre: 1.2 })
})

test('the JSON downloads, several at once', async () => {
  const folder = temporaryFolder()
  const paths = await Promise.all(
    Object.entries(jsonFiles).map(([name, text]) => archive({ [name]: text }, `${name}.zip`)),
  )
  const { report } = await run(folder, ...paths)
  const table = tableIn(folder)
  expect(foodById(table, 453744)).toEqual({
    foodId: 453744,
    name: 'CHEESE "MILD" {aged}',
    brand: 'Lucerne',
    category: 'Cheese',
    type: 'branded',
    source: 'USDA FoodData Central, Branded Foods (2019-04-01)',
    portions: [{ size: 28, description: '1 ONZ (28 g)' }],
    amounts: { fibre: 0, calcium: 536 },
  })
  expect(foodById(table, 2709225)).toMatchObject({
    category: 'Bananas',
    amounts: { energy: 97 },
    portions: [{ size: 126, description: '1 banana' }],
  })
  expect(report.refused['foods without a name']?.count).toBe(1)
  expect(report.leftOut['foods without any amount that is kept here']).toBe(1)
})

test('a file that is damaged, cut off or something else leaves the old table', async () => {
  const folder = temporaryFolder()
  const good = await archive(csvFiles())
  await run(folder, good)
  const before = readFileSync(join(folder, 'foods.db'))
  const broken = (name: string, change: (bytes: Buffer) => Buffer) => {
    const path = join(temporaryFolder(), name)
    writeFileSync(path, change(readFileSync(good)))
    return path
  }
  const cases = [
    [broken('cut.zip', (bytes) => bytes.subarray(0, bytes.length - 40)), 'damaged'],
    [broken('bit.zip', (bytes) => bytes.fill(0, 900, 960)), 'damaged'],
    [broken('empty.zip', () => Buffer.alloc(0)), 'damaged'],
    [await archive({ 'readme.txt': 'Hello' }), 'not a download of FoodData Central'],
    [await archive({ 'food.csv': '"id","name"\n"1","Apple"\n' }), 'no column fdc_id'],
    [await archive({ 'a.json': '{"foods": []}' }), 'no food in these files'],
    [await archive({ 'a.json': '{"foods": [{"a"' }), 'damaged'],
    [await archive(csvFiles({ 'food_nutrient.csv': '"1","2' })), 'damaged'],
  ] as const
  for (const [path, message] of cases) {
    await expect(run(folder, path)).rejects.toThrow(message)
    expect([path, others(folder)]).toEqual([path, []])
  }
  await expect(run(folder, good, cases[0][0])).rejects.toThrow('damaged')
  expect(readFileSync(join(folder, 'foods.db')).equals(before)).toBe(true)
})

test('a running server uses the new table at once; entries stay as they were', async () => {
  const { owner, db, diary, breakfast, search } = await diaryStudy()
  const folder = dirname(db.$client.filename)
  const entry = await owner.post<'createFoodDiaryEntry'>(diary, breakfast)
  expect((await owner.call('POST', diary, { ...breakfast, foodId: 2222222 })).status).toBe(400)
  const apple = `"30","${APPLE}","1008","95","","","","","","","","",""\n`
  const food = `"${APPLE}","sr_legacy_food","Apples, raw, with skin","18","2030-01-01"\n`
  await run(folder, await archive(csvFiles({ 'food.csv': food, 'food_nutrient.csv': apple })))
  const { foods, source } = await owner.get<'searchFoods'>(`${search}?q=apples`)
  expect(foods[0]).toMatchObject({ foodId: APPLE, nutrients: { energy: 95 }, portions: [] })
  expect(source).toBe('USDA FoodData Central, 2030-01-01')
  expect((await owner.get<'listFoodDiaryEntries'>(diary)).foodDiaryEntries).toEqual([entry])
  const url = `${diary}/${entry._id}` as const
  const double = await owner.put<'updateFoodDiaryEntry'>(url, { ...breakfast, quantity: 2 })
  expect([double.nutrients.energy, double.food]).toEqual([189.28, entry.food])
  expect((await owner.put<'updateFoodDiaryEntry'>(url, { foodId: 2222222 })).food.name).toContain('SANDWICH')
  expect((await owner.put<'updateFoodDiaryEntry'>(url, { foodId: APPLE })).nutrients.energy).toBe(345.8)
  // Another file in its place, damaged: nobody is given the values of another table in silence.
  writeFileSync(join(folder, 'foods.db'), 'not a database')
  const refused = await owner.call('GET', `${search}?q=apples`)
  expect([refused.status, refused.body.message]).toEqual([503, expect.stringContaining('trialbox food import')])
  expect((await owner.call('POST', diary, breakfast)).status).toBe(503)
  expect((await owner.put<'updateFoodDiaryEntry'>(url, { quantity: 1 })).quantity).toBe(1)
  await run(folder, await archive(jsonFiles))
  expect((await owner.get<'searchFoods'>(`${search}?q=apples`)).foods[0]!.nutrients.energy).toBe(52)
})

test('what a killed import left is removed by the next one', async () => {
  const folder = temporaryFolder()
  const left = [
    'foods.db.999999-0123456789ab.part',
    'foods.db.staged.999999-0123456789ab.part',
    'foods.db.staged.999999-0123456789ab.part-journal',
  ]
  for (const name of [...left, 'foods.db.backup', 'trialbox.db']) writeFileSync(join(folder, name), 'x')
  await run(folder, await archive(csvFiles()))
  expect(others(folder).sort()).toEqual(['foods.db.backup', 'trialbox.db'])
  copyFileSync(join(folder, 'foods.db'), join(folder, 'copy.db'))
  expect(statSync(join(folder, 'copy.db')).size).toBeGreaterThan(100_000)
})

test('long texts are cut, and not in the middle of a character', async () => {
  const long = `${'x'.repeat(499)}🍎 pie`
  const folder = temporaryFolder()
  const files = csvFiles({
    'food.csv': `"7777777","branded_food","${long}","${long}","2025-04-24"\n`,
    'branded_food.csv': `"7777777","${long}","OREO","","1","SUGAR","","34","g","${'y'.repeat(199)}🍎","${long}","LI","","","","","","","","",""\n`,
    'food_nutrient.csv': '"40","7777777","1008","5","","","","","","","","",""\n',
  })
  await run(folder, await archive(files))
  const food = foodById(tableIn(folder), 7777777)!
  const { size, description } = food.portions[0]!
  expect([food.name.length, food.brand!.length, food.category!.length, size, description.length]).toEqual([
    ...[500, 500, 200, 34, 200],
  ])
  for (const text of [food.name, food.brand!, food.category!, description]) expect(text.isWellFormed()).toBe(true)
})
