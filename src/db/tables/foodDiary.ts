/** What participants ate and drank. */
import { integer, json, key, moment, oneOf, real, table, text } from './columns'

export const meals = ['breakfast', 'lunch', 'dinner', 'snack', 'other'] as const

/** From which table of FoodData Central a food is. */
export const foodTypes = ['foundation', 'srLegacy', 'survey', 'branded'] as const
export type FoodType = (typeof foodTypes)[number]

/** A food as it was when it was chosen. The amounts are those in 100 g, by the keys of nutrients. */
export type EatenFood = {
  name: string
  brand: string | null
  category: string | null
  type: FoodType
  source: string
  amounts: Readonly<Record<string, number>>
}

export const foodDiaryEntries = table('foodDiaryEntries', () => ({
  _id: key(),
  createdAt: moment().notNull(),
  createdBy: text().notNull(),
  createdByType: oneOf('user', 'participant').notNull(),
  updatedAt: moment().notNull(),
  trial: text().notNull(),
  participant: text().notNull(),
  date: text().notNull(),
  meal: oneOf(...meals).notNull(),
  foodId: integer().notNull(),
  food: json<EatenFood>().notNull(),
  /** In grams. */
  portionSize: real().notNull(),
  portionDescription: text(),
  quantity: real().notNull(),
  loggedAt: moment().notNull(),
}))
