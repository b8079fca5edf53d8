/** Collects the amounts of a food, whose rows may come in any order (pure). */
import { nutrients } from '#design/foods/nutrients'
import type { ImportReport } from './report'

/** Where a nutrient of FoodData Central belongs: its place among ours, how many others count before it, and what one unit is in ours. */
type Place = { place: number; order: number; per: number }
const places = new Map<number, Place>(
  nutrients.flatMap(({ ids }, place) => ids.map(([id, per], order): [number, Place] => [id, { place, order, per }])),
)

/** Whether one of our nutrients is made from this one. */
export const isUsed = (nutrient: number): boolean => places.has(nutrient)

/** Amounts that are being collected. A nutrient may have several numbers: the one with the lowest order counts. */
export type CollectedAmounts = ({ amount: number; order: number } | undefined)[]

/** Adds the amount in 100 g of a nutrient of FoodData Central. One that cannot be is refused. */
export function collect(
  into: CollectedAmounts,
  foodId: number,
  nutrient: number,
  amount: number,
  report: ImportReport,
): void {
  const found = places.get(nutrient)
  if (!found) return
  const { place, order, per } = found
  const { name, unit, most } = nutrients[place]!
  const value = Number((amount * per).toPrecision(8))
  if (!(value >= 0 && value <= most)) {
    report.refuse('amounts that 100 g cannot hold', `food ${foodId}: ${amount} ${unit} of ${name.toLowerCase()}`)
    return
  }
  const known = into[place]
  if (!known || order < known.order) into[place] = { amount: value, order }
}

/** As text: the amounts in the order of the nutrients, with `@order` after those that another number may replace. */
export const packCollected = (collected: CollectedAmounts): string =>
  nutrients
    .map((_, place) => {
      const found = collected[place]
      return found ? `${found.amount}${found.order ? `@${found.order}` : ''}` : ''
    })
    .join(',')
    .replace(/,+$/, '')

/** The inverse of `packCollected`. */
export const unpackCollected = (packed: string): CollectedAmounts =>
  packed.split(',').map((text) => {
    if (text === '') return undefined
    const [amount, order = '0'] = text.split('@') as [string, string?]
    return { amount: Number(amount), order: Number(order) }
  })
