/** What a food is (pure). */
import type { FoodType } from '#db/tables/foodDiary'
import type { Amounts } from './nutrients'

/** The file of an imported table, in the data directory. */
export const FOODS_FILE = 'foods.db'

/** Grams, and what has this weight. */
export type Portion = { size: number; description: string }

/** A food with its number in FoodData Central. The amounts are those in 100 g. */
export type Food = {
  foodId: number
  name: string
  brand: string | null
  category: string | null
  type: FoodType
  /** Where the values are from, as an entry of a diary keeps it. */
  source: string
  portions: readonly Portion[]
  amounts: Amounts
}
