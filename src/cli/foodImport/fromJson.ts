/** Reads the JSON downloads of FoodData Central: one list of foods in each file. */
import type { FoodType } from '#db/tables/foodDiary'
import { type CollectedAmounts, collect, packCollected } from './amounts'
import type { ArchivedFile } from './archive'
import { brandOf, categoryOf, portionOf, servingOf, tidy } from './foods'
import { jsonItems } from './lines'
import type { Sink } from './sink'

const TYPES: Readonly<Record<string, FoodType>> = {
  Foundation: 'foundation',
  'SR Legacy': 'srLegacy',
  'Survey (FNDDS)': 'survey',
  Branded: 'branded',
}

/** What is read of a food, if it is what the documentation says; everything may be missing. */
type Item = Partial<
  Record<'fdcId' | 'description' | 'dataType' | 'publicationDate' | 'brandOwner' | 'brandName', unknown>
> &
  Partial<Record<'gtinUpc' | 'brandedFoodCategory' | 'servingSize' | 'servingSizeUnit', unknown>> & {
    householdServingFullText?: unknown
    foodCategory?: { description?: unknown } | null
    wweiaFoodCategory?: { wweiaFoodCategoryDescription?: unknown } | null
    foodNutrients?: { nutrient?: { id?: unknown } | null; amount?: unknown }[] | null
    foodPortions?: (Record<'gramWeight' | 'amount' | 'modifier' | 'portionDescription', unknown> & {
      sequenceNumber?: unknown
      measureUnit?: { name?: unknown } | null
    })[]
  }

const text = (value: unknown): string | null => (value === undefined || value === null ? null : tidy(`${value}`))

/** Days are written as 4/24/2025 there. */
const dayOf = (value: unknown): string => {
  const [, month, day, year] = /^(\d{1,2})\/(\d{1,2})\/(\d{4})$/.exec(`${value}`) ?? []
  return year ? `${year}-${month!.padStart(2, '0')}-${day!.padStart(2, '0')}` : `${value ?? ''}`
}

export const jsonFiles = (files: readonly ArchivedFile[]): ArchivedFile[] =>
  files.filter(({ name }) => name.endsWith('.json') && !name.includes('__MACOSX'))

/** Reads all foods of the files. @throws a fault if one is damaged */
export async function readJson(files: readonly ArchivedFile[], sink: Sink): Promise<void> {
  for (const file of files) {
    let number = 0
    for await (const items of jsonItems(file.pieces(), file.name)) {
      for (const item of items) readItem(item, `${file.name}, item ${++number}`, sink)
      sink.progress(`${file.name}: ${number.toLocaleString('en')} foods`)
    }
  }
}

function readItem(item: string, where: string, sink: Sink): void {
  let food: Item
  try {
    food = JSON.parse(item)
  } catch {
    sink.report.refuse('items that are no JSON', where)
    return
  }
  const type = TYPES[`${food.dataType}`]
  if (!type) {
    sink.report.leaveOut('samples and other rows that are no foods')
    return
  }
  const category = text(food.foodCategory?.description ?? food.wweiaFoodCategory?.wweiaFoodCategoryDescription)
  const published = dayOf(food.publicationDate)
  const foodId = Number(food.fdcId)
  if (!sink.food({ foodId: `${food.fdcId}`, type, name: text(food.description) ?? '', category, published })) return
  if (type === 'branded') readBrand(food, foodId, sink)
  for (const [place, { gramWeight, amount, modifier, portionDescription, measureUnit }] of listOf(
    food.foodPortions,
  ).entries()) {
    const unit = text(measureUnit?.name)
    const portion = portionOf(gramWeight, {
      ...{ amount: text(amount), unit: unit === 'undetermined' ? null : unit },
      ...{ description: text(portionDescription), modifier: text(modifier) },
    })
    if (portion) sink.portion(foodId, place, portion)
  }
  const collected: CollectedAmounts = []
  for (const { nutrient, amount } of listOf(food.foodNutrients))
    if (amount !== undefined && amount !== null)
      collect(collected, foodId, Number(nutrient?.id), Number(amount), sink.report)
  if (collected.length) sink.setAmounts(foodId, packCollected(collected))
}

const listOf = <T>(value: T[] | null | undefined): T[] => (Array.isArray(value) ? value.filter(Boolean) : [])

function readBrand(food: Item, foodId: number, sink: Sink): void {
  const brand = brandOf(text(food.brandName), text(food.brandOwner))
  sink.brand({ foodId, brand, category: categoryOf(text(food.brandedFoodCategory)), barcode: text(food.gtinUpc) })
  const serving = servingOf(food.servingSize, food.servingSizeUnit, text(food.householdServingFullText))
  if (serving) sink.portion(foodId, 0, serving)
}
