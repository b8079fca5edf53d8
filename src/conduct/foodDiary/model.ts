/** See docs/food.md. */

import { withoutConsentReason } from '#conduct/consents/required'
import { foodTypes, meals } from '#db/tables/foodDiary'
import { nutrients } from '#design/foods/nutrients'
import {
  day,
  flag,
  id,
  instant,
  joinShapes,
  list,
  maybe,
  number,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  whole,
  withDescription,
} from '#wire/schema'

/** The largest number that FoodData Central may give, and that JSON and SQLite keep exactly. */
const FOOD_ID = whole(1, Number.MAX_SAFE_INTEGER)
/** In grams: a small seed, and more than anybody eats at once. */
const SIZE = number(0.001, 100_000)

const Portion = shape('FoodPortion', {
  size: withDescription('The weight of one, in grams.', SIZE),
  unit: oneOf('grams'),
  description: maybe(withDescription('What has this weight, such as “1 cup”.', orNull(text(0, 200)))),
})

/** Amounts by nutrient. One that is absent is not known: it is not 0. */
const Amounts = shape(
  'FoodAmounts',
  Object.fromEntries(
    nutrients.map(({ key, name, unit }) => [key, maybe(withDescription(`${name} in ${unit}.`, number(0)))]),
  ),
)

export const FoodDiaryEntryInput = shape('FoodDiaryEntryInput', {
  date: withDescription('The day on which it was eaten.', day()),
  meal: oneOf(...meals),
  foodId: withDescription('The number of a food of the search.', FOOD_ID),
  portion: Portion,
  quantity: maybe(withDescription('How many of the portion; 1 if left out.', number(0.001, 1_000))),
  loggedAt: maybe(withDescription('When it was noted; now if left out.', instant())),
})

/** An entry that staff make. */
export const StaffEntryInput = joinShapes(
  'FoodDiaryStaffEntryInput',
  FoodDiaryEntryInput,
  shape({ withoutConsentReason: withoutConsentReason() }),
)

const EatenFood = shape('EatenFood', {
  name: oneLine(1, 500),
  brand: orNull(text(0, 500)),
  category: orNull(text(0, 200)),
  type: oneOf(...foodTypes),
  source: withDescription('The table that the values are from.', text(0, 200)),
})

export const FoodDiaryEntry = shape('FoodDiaryEntry', {
  _id: id(),
  createdAt: instant(),
  createdBy: id(),
  createdByType: oneOf('user', 'participant'),
  updatedAt: instant(),
  participant: id(),
  date: day(),
  meal: oneOf(...meals),
  foodId: FOOD_ID,
  portion: Portion,
  quantity: number(0.001, 1_000),
  loggedAt: instant(),
  food: withDescription('The food as it was when it was chosen.', EatenFood),
  grams: withDescription('The weight of all.', number(0)),
  nutrients: withDescription('What all of it holds, by the values of the food when it was chosen.', Amounts),
})

/** Entries in a page: a person notes a few a day. */
export const PAGE = 500

export const DiaryWindow = shape({
  date: maybe(withDescription('One day.', day())),
  from: maybe(withDescription('The first day.', day())),
  to: maybe(withDescription('The last day.', day())),
  page: maybe(whole(1, 1_000_000)),
})

export const FoodDiaryEntries = shape('FoodDiaryEntries', {
  foodDiaryEntries: list(FoodDiaryEntry, PAGE),
  page: whole(1),
  nextPageAvailable: flag(),
})

export const MOST_FOUND = 100

export const FoodQuery = shape({
  q: withDescription('A few words of the name or brand, in any order.', text(1, 200)),
  limit: maybe(withDescription('25 if left out.', whole(1, MOST_FOUND))),
  offset: maybe(withDescription('How many to leave out at the beginning.', whole(0, 10_000))),
})

const Food = shape('Food', {
  foodId: FOOD_ID,
  name: oneLine(1, 500),
  brand: orNull(text(0, 500)),
  category: orNull(text(0, 200)),
  type: oneOf(...foodTypes),
  source: text(0, 200),
  portions: withDescription('Usual portions.', list(Portion, 100)),
  nutrients: withDescription('The amounts in 100 g.', Amounts),
})

export const Foods = shape('Foods', {
  foods: list(Food, MOST_FOUND),
  nextPageAvailable: flag(),
  source: withDescription('The table that was searched.', text(0, 200)),
})
