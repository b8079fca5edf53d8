/** The nutrients that a food has values of, and what a portion of it holds (pure). */

/**
 * One nutrient. `ids` are its numbers in FoodData Central: the first that a food has counts. `per`: what one unit of FoodData
 * Central's value is in ours, if not 1. `most`: the largest possible amount in 100 g; more is a mistake of the table.
 */
export type Nutrient = Readonly<{
  key: string
  name: string
  unit: 'kcal' | 'g' | 'mg' | 'µg'
  ids: readonly (readonly [id: number, per: number])[]
  most: number
}>

const defineNutrient = (
  key: string,
  name: string,
  unit: Nutrient['unit'],
  ...ids: (number | readonly [number, number])[]
): Nutrient => ({
  key,
  name,
  unit,
  ids: ids.map((id) => (typeof id === 'number' ? [id, 1] : id)),
  most: { kcal: 950, g: 101, mg: 101_000, µg: 101_000_000 }[unit],
})

/** In the order of tables. Stored values have this order: add new ones at the end. */
export const nutrients: readonly Nutrient[] = [
  defineNutrient('energy', 'Energy', 'kcal', 1008, 2048, 2047, [1062, 1 / 4.184]),
  defineNutrient('protein', 'Protein', 'g', 1003),
  defineNutrient('fat', 'Fat', 'g', 1004, 1085),
  defineNutrient('carbohydrate', 'Carbohydrate', 'g', 1005, 1050),
  defineNutrient('sugars', 'Sugars', 'g', 2000, 1063),
  defineNutrient('addedSugars', 'Added sugars', 'g', 1235),
  defineNutrient('fibre', 'Fibre', 'g', 1079, 2033),
  defineNutrient('saturatedFat', 'Saturated fat', 'g', 1258),
  defineNutrient('monounsaturatedFat', 'Monounsaturated fat', 'g', 1292),
  defineNutrient('polyunsaturatedFat', 'Polyunsaturated fat', 'g', 1293),
  defineNutrient('transFat', 'Trans fat', 'g', 1257),
  defineNutrient('cholesterol', 'Cholesterol', 'mg', 1253),
  defineNutrient('sodium', 'Sodium', 'mg', 1093),
  defineNutrient('potassium', 'Potassium', 'mg', 1092),
  defineNutrient('calcium', 'Calcium', 'mg', 1087),
  defineNutrient('iron', 'Iron', 'mg', 1089),
  defineNutrient('magnesium', 'Magnesium', 'mg', 1090),
  defineNutrient('phosphorus', 'Phosphorus', 'mg', 1091),
  defineNutrient('zinc', 'Zinc', 'mg', 1095),
  defineNutrient('copper', 'Copper', 'mg', 1098),
  defineNutrient('manganese', 'Manganese', 'mg', 1101),
  defineNutrient('selenium', 'Selenium', 'µg', 1103),
  defineNutrient('vitaminA', 'Vitamin A (RAE)', 'µg', 1106),
  defineNutrient('vitaminC', 'Vitamin C', 'mg', 1162),
  defineNutrient('vitaminD', 'Vitamin D', 'µg', 1114, [1110, 0.025]),
  defineNutrient('vitaminE', 'Vitamin E', 'mg', 1109),
  defineNutrient('vitaminK', 'Vitamin K', 'µg', 1185),
  defineNutrient('thiamin', 'Thiamin', 'mg', 1165),
  defineNutrient('riboflavin', 'Riboflavin', 'mg', 1166),
  defineNutrient('niacin', 'Niacin', 'mg', 1167),
  defineNutrient('pantothenicAcid', 'Pantothenic acid', 'mg', 1170),
  defineNutrient('vitaminB6', 'Vitamin B6', 'mg', 1175),
  defineNutrient('folate', 'Folate', 'µg', 1177),
  defineNutrient('vitaminB12', 'Vitamin B12', 'µg', 1178),
  defineNutrient('choline', 'Choline', 'mg', 1180),
  defineNutrient('water', 'Water', 'g', 1051),
  defineNutrient('alcohol', 'Alcohol', 'g', 1018),
  defineNutrient('caffeine', 'Caffeine', 'mg', 1057),
]

/** Amounts by the keys of nutrients. A nutrient whose amount is not known is absent: it is not 0. */
export type Amounts = Readonly<Record<string, number>>

/** The amounts as one short text: numbers in the order of `nutrients`, separated by commas, blank if not known. */
export const packAmounts = (amounts: Amounts): string =>
  nutrients
    .map(({ key }) => amounts[key] ?? '')
    .join(',')
    .replace(/,+$/, '')

/** The inverse of `packAmounts`. */
export function unpackAmounts(packed: string): Amounts {
  const amounts: Record<string, number> = {}
  for (const [place, text] of packed.split(',').entries()) {
    const nutrient = nutrients[place]
    if (nutrient && text !== '') amounts[nutrient.key] = Number(text)
  }
  return amounts
}

/** Six digits: more than any table has, and sums of floating-point numbers look like those of a calculator. */
const DIGITS = 6
export const roundAmount = (value: number): number => Number(value.toPrecision(DIGITS))

/** The amounts in this many grams. @param per100g the amounts in 100 g */
export const amountsIn = (per100g: Amounts, grams: number): Amounts =>
  Object.fromEntries(Object.entries(per100g).map(([key, amount]) => [key, roundAmount((amount * grams) / 100)]))
