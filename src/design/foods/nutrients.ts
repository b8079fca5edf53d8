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

const of = (
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
  of('energy', 'Energy', 'kcal', 1008, 2048, 2047, [1062, 1 / 4.184]),
  of('protein', 'Protein', 'g', 1003),
  of('fat', 'Fat', 'g', 1004, 1085),
  of('carbohydrate', 'Carbohydrate', 'g', 1005, 1050),
  of('sugars', 'Sugars', 'g', 2000, 1063),
  of('addedSugars', 'Added sugars', 'g', 1235),
  of('fibre', 'Fibre', 'g', 1079, 2033),
  of('saturatedFat', 'Saturated fat', 'g', 1258),
  of('monounsaturatedFat', 'Monounsaturated fat', 'g', 1292),
  of('polyunsaturatedFat', 'Polyunsaturated fat', 'g', 1293),
  of('transFat', 'Trans fat', 'g', 1257),
  of('cholesterol', 'Cholesterol', 'mg', 1253),
  of('sodium', 'Sodium', 'mg', 1093),
  of('potassium', 'Potassium', 'mg', 1092),
  of('calcium', 'Calcium', 'mg', 1087),
  of('iron', 'Iron', 'mg', 1089),
  of('magnesium', 'Magnesium', 'mg', 1090),
  of('phosphorus', 'Phosphorus', 'mg', 1091),
  of('zinc', 'Zinc', 'mg', 1095),
  of('copper', 'Copper', 'mg', 1098),
  of('manganese', 'Manganese', 'mg', 1101),
  of('selenium', 'Selenium', 'µg', 1103),
  of('vitaminA', 'Vitamin A (RAE)', 'µg', 1106),
  of('vitaminC', 'Vitamin C', 'mg', 1162),
  of('vitaminD', 'Vitamin D', 'µg', 1114, [1110, 0.025]),
  of('vitaminE', 'Vitamin E', 'mg', 1109),
  of('vitaminK', 'Vitamin K', 'µg', 1185),
  of('thiamin', 'Thiamin', 'mg', 1165),
  of('riboflavin', 'Riboflavin', 'mg', 1166),
  of('niacin', 'Niacin', 'mg', 1167),
  of('pantothenicAcid', 'Pantothenic acid', 'mg', 1170),
  of('vitaminB6', 'Vitamin B6', 'mg', 1175),
  of('folate', 'Folate', 'µg', 1177),
  of('vitaminB12', 'Vitamin B12', 'µg', 1178),
  of('choline', 'Choline', 'mg', 1180),
  of('water', 'Water', 'g', 1051),
  of('alcohol', 'Alcohol', 'g', 1018),
  of('caffeine', 'Caffeine', 'mg', 1057),
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
export const rounded = (value: number): number => Number(value.toPrecision(DIGITS))

/** What so many grams hold. @param per100g the amounts in 100 g */
export const amountsIn = (per100g: Amounts, grams: number): Amounts =>
  Object.fromEntries(Object.entries(per100g).map(([key, amount]) => [key, rounded((amount * grams) / 100)]))
