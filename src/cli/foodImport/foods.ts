/** What a table says of a food, from the words of the download (pure). */
import type { FoodType } from '#db/tables/foodDiary'
import type { Portion } from '#design/foods/types'
import type { StagedFood } from './stagingStore'

const TITLES: Record<FoodType, string> = {
  foundation: 'Foundation Foods',
  srLegacy: 'SR Legacy',
  survey: 'Survey Foods (FNDDS)',
  branded: 'Branded Foods',
}

/** Foods that are there, but seldom eaten so. */
const SELDOM =
  /\b(babyfood|infant|baby|toddler|formula|industrial|dehydrated|dry mix|powder|imitation|alaska|navajo|raw, frozen|unprepared|game|separable|organ|variety meats|defatted|freeze-dried)\b/i
/** What is meant by most who say no more. */
const USUAL = /\b(nfs|ns as to|raw|cooked|plain|whole|regular)\b/i

const LONGEST_NAME = 500
const LONGEST_CATEGORY = 200
const LONGEST_DESCRIPTION = 200

/** The beginning of a text, without the half of a character at its end. */
const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed()

/** The text without white space around it and doubled inside; null if nothing is left. */
export const tidy = (text: string | undefined | null, most = LONGEST_NAME): string | null =>
  cut((text ?? '').replace(/\s+/g, ' ').trim(), most) || null

export const categoryOf = (text: string | undefined | null): string | null => tidy(text, LONGEST_CATEGORY)

/** The place of a food in the table, and how common it is. Basic foods come first, then products, those with short names first. */
export function order(type: FoodType, name: string): Pick<StagedFood, 'rank' | 'commonness'> {
  if (type === 'branded') return { rank: 1_000_000 + 10 * name.length, commonness: 0.1 }
  const parts = name.split(',').length
  const isSeldom = SELDOM.test(name)
  const rank = 10_000 + 100 * parts + name.length + (isSeldom ? 100_000 : 0) - (USUAL.test(name) ? 50 : 0)
  const commonness = isSeldom ? 0.12 : Math.max(0.2, 0.45 - 0.04 * parts) + (USUAL.test(name) ? 0.03 : 0)
  return { rank, commonness }
}

/** @param published the day of its publication */
export const sourceOf = (type: FoodType, published: string | undefined): string =>
  `USDA FoodData Central, ${TITLES[type]}${published ? ` (${published})` : ''}`

/** The brand as it is shown: that on the product, and whose it is. */
export function brandOf(name: string | null | undefined, owner: string | null | undefined): string | null {
  const [brand, company] = [tidy(name), tidy(owner)]
  if (!brand || !company || company.toLowerCase().includes(brand.toLowerCase()))
    return brand && company ? company : (brand ?? company)
  return cut(`${brand} (${company})`, LONGEST_NAME)
}

/** The portion on a package; undefined if it has none by weight or volume. Values of drinks are those in 100 ml. */
export function servingOf(size: unknown, unit: unknown, text: string | null | undefined): Portion | undefined {
  const amount = Number(size)
  const of = { g: 'g', grm: 'g', gm: 'g', mg: undefined, ml: 'ml', mlt: 'ml', mc: undefined, iu: undefined }[
    `${unit}`.toLowerCase()
  ]
  if (of === undefined || !(amount > 0) || amount > 100_000) return undefined
  const household = tidy(text)
  return {
    size: amount,
    description: cut(`${household ?? '1 serving'} (${amount} ${of})`, LONGEST_DESCRIPTION),
  }
}

/** A portion in the words of the download, such as "1 cup, chopped"; undefined if it says nothing. */
export function portionOf(
  weight: unknown,
  { amount, unit, description, modifier }: Record<'amount' | 'unit' | 'description' | 'modifier', string | null>,
): Portion | undefined {
  const size = Number(weight)
  if (!(size > 0) || size > 100_000 || weight === '') return undefined
  // Survey foods have a whole description, and a code as their modifier.
  const text = description
    ? description
    : [amount && Number(amount) > 0 ? `${Number(amount)}` : '1', unit, modifier].filter(Boolean).join(' ')
  if (/^quantity not specified$/i.test(text)) return undefined
  return { size, description: cut(text, LONGEST_DESCRIPTION) }
}
