/** See docs/food.md. */

import { withoutConsentReason } from '#conduct/consents/required'
import { foodTypes, meals } from '#db/tables/foodDiary'
import { nutrients } from '#design/foods/nutrients'
import * as t from '#wire/schema'

/** The largest number that FoodData Central may give, and that JSON and SQLite keep exactly. */
const FOOD_ID = t.whole(1, Number.MAX_SAFE_INTEGER)
/** In grams: a small seed, and more than anybody eats at once. */
const SIZE = t.number(0.001, 100_000)

const Portion = t.shape('FoodPortion', {
  size: t.withDescription('The weight of one, in grams.', SIZE),
  unit: t.oneOf('grams'),
  description: t.maybe(t.withDescription('What has this weight, such as “1 cup”.', t.orNull(t.text(0, 200)))),
})

/** Amounts by nutrient. One that is absent is not known: it is not 0. */
const Amounts = t.shape(
  'FoodAmounts',
  Object.fromEntries(
    nutrients.map(({ key, name, unit }) => [key, t.maybe(t.withDescription(`${name} in ${unit}.`, t.number(0)))]),
  ),
)

export const FoodDiaryEntryInput = t.shape('FoodDiaryEntryInput', {
  date: t.withDescription('The day on which it was eaten.', t.day()),
  meal: t.oneOf(...meals),
  foodId: t.withDescription('The number of a food of the search.', FOOD_ID),
  portion: Portion,
  quantity: t.maybe(t.withDescription('How many of the portion; 1 if left out.', t.number(0.001, 1_000))),
  loggedAt: t.maybe(t.withDescription('When it was noted; now if left out.', t.instant())),
})

/** An entry that staff make. */
export const StaffEntryInput = t.joinShapes(
  'FoodDiaryStaffEntryInput',
  FoodDiaryEntryInput,
  t.shape({ withoutConsentReason: withoutConsentReason() }),
)

const EatenFood = t.shape('EatenFood', {
  name: t.oneLine(1, 500),
  brand: t.orNull(t.text(0, 500)),
  category: t.orNull(t.text(0, 200)),
  type: t.oneOf(...foodTypes),
  source: t.withDescription('The table that the values are from.', t.text(0, 200)),
})

export const FoodDiaryEntry = t.shape('FoodDiaryEntry', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.id(),
  createdByType: t.oneOf('user', 'participant'),
  updatedAt: t.instant(),
  participant: t.id(),
  date: t.day(),
  meal: t.oneOf(...meals),
  foodId: FOOD_ID,
  portion: Portion,
  quantity: t.number(0.001, 1_000),
  loggedAt: t.instant(),
  food: t.withDescription('The food as it was when it was chosen.', EatenFood),
  grams: t.withDescription('The weight of all.', t.number(0)),
  nutrients: t.withDescription('What all of it holds, by the values of the food when it was chosen.', Amounts),
})

/** Entries in a page: a person notes a few a day. */
export const PAGE = 500

export const DiaryWindow = t.shape({
  date: t.maybe(t.withDescription('One day.', t.day())),
  from: t.maybe(t.withDescription('The first day.', t.day())),
  to: t.maybe(t.withDescription('The last day.', t.day())),
  page: t.maybe(t.whole(1, 1_000_000)),
})

export const FoodDiaryEntries = t.shape('FoodDiaryEntries', {
  foodDiaryEntries: t.list(FoodDiaryEntry, PAGE),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

const MOST_FOUND = 100

export const FoodQuery = t.shape({
  q: t.withDescription('A few words of the name or brand, in any order.', t.text(1, 200)),
  limit: t.maybe(t.withDescription('25 if left out.', t.whole(1, MOST_FOUND))),
  offset: t.maybe(t.withDescription('How many to leave out at the beginning.', t.whole(0, 10_000))),
})

const Food = t.shape('Food', {
  foodId: FOOD_ID,
  name: t.oneLine(1, 500),
  brand: t.orNull(t.text(0, 500)),
  category: t.orNull(t.text(0, 200)),
  type: t.oneOf(...foodTypes),
  source: t.text(0, 200),
  portions: t.withDescription('Usual portions.', t.list(Portion, 100)),
  nutrients: t.withDescription('The amounts in 100 g.', Amounts),
})

export const Foods = t.shape('Foods', {
  foods: t.list(Food, MOST_FOUND),
  nextPageAvailable: t.flag(),
  source: t.withDescription('The table that was searched.', t.text(0, 200)),
})
