/** Takes what readers of downloads find, checks it, and writes it to the files of the import. */
import type { FoodType } from '#db/tables/foodDiary'
import { builtInFoods, commonnessAt } from '#design/foods/builtIn'
import { packAmounts } from '#design/foods/nutrients'
import { categoryOf, order, sourceOf, tidy } from './foods'
import type { ImportReport } from './report'
import type { Staging } from './stagingStore'

type FoodRecord = { foodId: string; type: FoodType; name: string; category: string | null; published: string }

/** @param progress called now and then with what is being read */
export function newSink(staging: Staging, report: ImportReport, progress: (text: string) => void) {
  const builtIn = builtInFoods()
  /** The places of the built-in foods. What the download says of them counts more. */
  const places = new Map(builtIn.map(({ foodId }, place) => [foodId, place]))
  const orderAt = (place: number) => ({ rank: place, commonness: commonnessAt(place, builtIn.length) })
  for (const [place, { amounts, portions, ...food }] of builtIn.entries()) {
    staging.addFood({ ...food, ...orderAt(place), barcode: null })
    staging.setAmounts(food.foodId, packAmounts(amounts))
    for (const [at, portion] of portions.entries()) staging.addPortion(food.foodId, at, portion)
  }
  let newest = ''
  return {
    report,
    progress,
    /** The newest day of publication so far. */
    newest: () => newest,
    /** Returns whether the food is taken over. */
    food({ foodId: id, type, name: given, category, published }: FoodRecord): boolean {
      const foodId = Number(id)
      const name = tidy(given)
      if (!Number.isSafeInteger(foodId) || foodId < 1)
        report.refuse('foods without a valid fdcId', id || given || '(blank)')
      else if (!name) report.refuse('foods without a name', `food ${id}`)
      else {
        const place = places.get(foodId)
        if (place !== undefined) staging.forget(foodId)
        const source = sourceOf(type, /^\d{4}-\d\d-\d\d$/.test(published) ? published : undefined)
        const ordered = place === undefined ? order(type, name) : orderAt(place)
        staging.addFood({
          foodId,
          type,
          name,
          brand: null,
          category: categoryOf(category),
          source,
          barcode: null,
          ...ordered,
        })
        report.read(type)
        if (/^\d{4}-\d\d-\d\d$/.test(published) && published > newest) newest = published
        return true
      }
      return false
    },
    brand: staging.addBrand,
    portion: staging.addPortion,
    amountsOf: staging.amountsOf,
    setAmounts: staging.setAmounts,
  }
}

export type Sink = ReturnType<typeof newSink>
