/** What a dietitian expects of a search, in the built-in table. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { builtInFoods, builtInTable } from '#design/foods/builtIn'
import { amountsIn, nutrients, packAmounts, unpackAmounts } from '#design/foods/nutrients'
import { foodById, searchFoods } from '#design/foods/searchStore'
import { memoryTable, newTable } from '#design/foods/tableStore'
import { foldText, indexedWords, singular, wordsOf } from '#design/foods/tokens'
import type { Food } from '#design/foods/types'

const table = builtInTable()
const first = (text: string) => searchFoods(table, text, 5, 0).map(({ name }) => name)

/** What was typed, and the beginning of the name that must come first. */
test.each([
  // the plain food before dishes and products of it
  ['milk', 'Milk, whole'],
  ['egg', 'Egg, whole, raw'],
  ['apple', 'Apples, raw, with skin'],
  ['rice', 'Rice, '],
  ['chicken', 'Chicken, broilers or fryers'],
  ['butter', 'Butter, salted'],
  ['sugar', 'Sugars, granulated'],
  ['bread', 'Bread, w'],
  ['cheese', 'Cheese, cheddar'],
  ['beer', 'Alcoholic beverage, beer'],
  ['coffee', 'Beverages, coffee, brewed'],
  ['tea', 'Beverages, tea, black, brewed'],
  ['salmon', 'Fish, salmon'],
  ['almonds', 'Nuts, almonds'],
  // singular and plural
  ['apples', 'Apples, raw, with skin'],
  ['eggs', 'Egg, whole, raw'],
  ['tomato', 'Tomatoes, red, ripe, raw'],
  ['tomatoes', 'Tomatoes, red, ripe, raw'],
  ['strawberry', 'Strawberries, raw'],
  ['peach', 'Peaches, '],
  // the beginning of a word
  ['ban', 'Bananas, raw'],
  ['brocc', 'Broccoli, raw'],
  ['ched', 'Cheese, cheddar'],
  ['mayo', 'Salad dressing, mayonnaise, regular'],
  ['peanut bu', 'Peanut butter, '],
  // several words in any order
  ['orange juice', 'Orange juice, raw'],
  ['juice orange', 'Orange juice, raw'],
  ['brown rice', 'Rice, brown, long-grain, cooked'],
  ['olive oil', 'Oil, olive'],
  ['whole wheat bread', 'Bread, whole-wheat'],
  ['chicken breast roasted', 'Chicken, broilers or fryers, breast, meat only, cooked, roasted'],
  ['boiled egg', 'Egg, whole, cooked, hard-boiled'],
  // accents and case
  ['jalapeño', 'Peppers, jalapeno'],
  ['JALAPENO', 'Peppers, jalapeno'],
  ['crème', ''],
  // typing errors
  ['aple', 'Apples, raw, with skin'],
  ['banannas', 'Bananas, raw'],
  ['brocolli', 'Broccoli, raw'],
  ['zuchinni', 'Squash, summer, zucchini'],
  ['tomatos', 'Tomatoes, red, ripe, raw'],
  ['potatos', 'Potato'],
  ['yoghert', 'Yogurt, plain'],
  ['avacado', 'Avocados, raw'],
  ['mozarella', 'Cheese, mozzarella'],
  ['chedar chese', 'Cheese, cheddar'],
  ['oragne juce', 'Orange juice, raw'],
  ['chikcen', 'Chicken, '],
  // other words for the same
  ['yoghurt', 'Yogurt, plain'],
  ['courgette', 'Squash, summer, zucchini'],
  ['aubergine', 'Eggplant, '],
  ['prawns', 'Crustaceans, shrimp'],
  ['ketchup', 'Catsup'],
  ['minced beef', 'Beef, ground'],
  ['porridge', 'Oats'],
  ['beetroot', 'Beets, '],
  ['coke', 'Beverages, carbonated, cola'],
  ['crisps', 'Snacks, potato chips'],
  // two words as one
  ['icecream', 'Ice cream'],
  ['peanutbutter', 'Peanut butter, '],
  ['icecreams chocolate', 'Ice creams, chocolate'],
])('%s finds %s first', (text, name) => {
  const found = first(text)
  expect(found[0]).toBeDefined()
  expect(found[0]!.startsWith(name) ? name : found).toBe(name)
})

test('a word that is right finds no other words', () => {
  for (const text of ['beer', 'almond', 'coffee'])
    for (const name of searchFoods(table, text, 100, 0).map(({ name }) => name.toLowerCase()))
      expect([text, name]).toEqual([text, expect.stringContaining(text)])
})

test('one word too many does not empty the list; nonsense does', () => {
  expect(first('banana grandmother')[0]).toBe('Bananas, raw')
  expect(first('qqqqxzx')).toEqual([])
  expect(first('%%% --')).toEqual([])
})

test('any text is searched without an error, each find once, and pages join to the whole', () => {
  const text = fc.oneof(fc.string(), fc.constantFrom('milk', 'a', 'raw', '"', 'a OR b*', 'chiken soup'))
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 40 }), (text, size) => {
      const whole = searchFoods(table, text, 80, 0).map(({ foodId }) => foodId)
      expect(new Set(whole).size).toBe(whole.length)
      const pages = [0, 1].flatMap((page) => searchFoods(table, text, size, page * size).map(({ foodId }) => foodId))
      expect(pages).toEqual(whole.slice(0, 2 * size))
    }),
  )
})

test('pages go on after the finds that are compared with each other, and have each find once', () => {
  const many = memoryTable()
  const made = newTable(many)
  const food = (n: number): Food => ({
    ...{
      foodId: n,
      name: `${n % 3 ? 'Peanut bar' : n % 5 ? 'Pea soup' : 'Pe cake'} ${n}`,
      brand: null,
      category: null,
    },
    ...{ type: 'branded', source: 'test', portions: [], amounts: { energy: n % 900 } },
  })
  for (let n = 1; n <= 1_500; n++) made.add(food(n), 0.1)
  made.finish('test', null)
  for (const [text, count] of [
    ['pe', 1_500], // 100 have the word, all begin with it
    ['pea', 400], // so many have the word that those which begin with it are left out
    ['peanut', 1_000],
    ['bar', 1_000],
    ['cake', 100],
  ] as const) {
    const pages = Array.from({ length: 17 }, (_, page) => searchFoods(many, text, 100, page * 100))
    const found = pages.flat().map(({ foodId }) => foodId)
    expect([text, found.length, new Set(found).size]).toEqual([text, count, count])
  }
  expect(searchFoods(many, 'pea', 1, 0)[0]!.name).toStartWith('Pea soup')
})

test.each([
  ['berries', 'berry'],
  ['tomatoes', 'tomato'],
  ['peaches', 'peach'],
  ['radishes', 'radish'],
  ['eggs', 'egg'],
  ['loaves', 'loaf'],
  ['olives', 'olive'],
  ['hummus', 'hummus'],
  ['asparagus', 'asparagus'],
  ['cress', 'cress'],
  ['pies', 'pie'],
  ['peas', 'pea'],
  ['gas', 'gas'],
])('the singular of %s is %s', (word, expected) => {
  expect(singular(word)).toBe(expected)
})

test('words: marks, apostrophes and hyphens', () => {
  expect(foldText('Crème Brûlée, Weißwurst, Smørrebrød')).toBe('creme brulee, weisswurst, smorrebrod')
  expect(wordsOf("M&M's, Kellogg’s & 7-Up")).toEqual(['mms', 'kelloggs', '7', 'up'])
  expect([...indexedWords('Coca-Cola')]).toEqual(['coca', 'cola', 'cocacola'])
})

test('amounts are packed and unpacked as they are; unknown ones stay unknown', () => {
  const amounts = fc.dictionary(
    fc.constantFrom(...nutrients.map(({ key }) => key)),
    fc.double({ min: 0, max: 900, noNaN: true }),
  )
  fc.assert(
    fc.property(amounts, (given) =>
      expect(unpackAmounts(packAmounts(given))).toEqual(JSON.parse(JSON.stringify(given))),
    ),
  )
  expect(amountsIn({ energy: 52, fibre: 0 }, 182)).toEqual({ energy: 94.64, fibre: 0 })
})

test('every built-in food has a number of its own, an energy, and amounts and portions that can be', () => {
  const foods = builtInFoods()
  expect(foods.filter(({ portions }) => !portions.length).length).toBeLessThan(3)
  expect(foods.length).toBeGreaterThan(700)
  expect(new Set(foods.map(({ foodId }) => foodId)).size).toBe(foods.length)
  for (const food of foods) {
    expect(foodById(table, food.foodId)).toEqual(food)
    const { amounts, portions } = food
    for (const { key, most } of nutrients)
      if (amounts[key] !== undefined)
        expect([food.name, key, amounts[key] >= 0 && amounts[key] <= most]).toEqual([food.name, key, true])
    // The energy is about that of fat, protein, carbohydrate and alcohol.
    const { energy, fat = 0, protein = 0, carbohydrate = 0, alcohol = 0, fibre = 0 } = amounts
    const computed = 9 * fat + 4 * protein + 4 * carbohydrate + 7 * alcohol
    expect([food.name, Math.abs(energy! - computed) <= 30 + 0.2 * computed + 4 * fibre]).toEqual([food.name, true])
    expect([food.name, fat + protein + carbohydrate <= 101]).toEqual([food.name, true])
    for (const { size, description } of portions)
      expect([size > 0 && size < 10_000, description.length > 2]).toEqual([true, true])
  }
})
