/** Reads the csv download of FoodData Central. */
import type { FoodType } from '#db/tables/foodDiary'
import { fault } from '#kernel/fault'
import { type CollectedAmounts, collect, isUsed, packCollected, unpackCollected } from './amounts'
import type { ArchivedFile } from './archive'
import { brandOf, categoryOf, portionOf, servingOf, tidy } from './foods'
import { csvRows } from './lines'
import type { Sink } from './sink'

const TYPES: Readonly<Record<string, FoodType>> = {
  foundation_food: 'foundation',
  sr_legacy_food: 'srLegacy',
  survey_fndds_food: 'survey',
  branded_food: 'branded',
}

type Cells = (column: string) => string

/** A file of the download by its name, whatever folder it is in. */
const fileIn = (files: readonly ArchivedFile[], name: string): ArchivedFile | undefined =>
  files.find((file) => file.name === name || file.name.endsWith(`/${name}`))

export const isCsvDownload = (files: readonly ArchivedFile[]): boolean => fileIn(files, 'food.csv') !== undefined

/** Calls `act` with each row of a file. Rows of another length are refused. */
async function eachRow(
  file: ArchivedFile | undefined,
  needed: readonly string[],
  { report, progress }: Pick<Sink, 'report' | 'progress'>,
  act: (cells: Cells) => void,
): Promise<void> {
  if (!file) return
  let columns: Map<string, number> | undefined
  let row: readonly string[] = []
  let number = 1
  const cells: Cells = (column) => row[columns!.get(column) ?? -1] ?? ''
  for await (const rows of csvRows(file.pieces(), file.name)) {
    for (const next of rows) {
      if (!columns) {
        columns = new Map(next.map((name, at) => [name.replace(/^\ufeff/, '').trim(), at]))
        const missing = needed.find((name) => !columns!.has(name))
        if (missing) throw fault(`${file.name} has no column ${missing}: it is not a download of FoodData Central.`)
        continue
      }
      number++
      row = next
      if (row.length === columns.size) act(cells)
      else report.refuse('rows with too few or too many cells', `${file.name}, row ${number}`)
    }
    progress(`${file.name}: ${number.toLocaleString('en')} rows`)
  }
}

/** The texts of a file by their ids. */
async function textsOf(
  file: ArchivedFile | undefined,
  sink: Sink,
  key: string,
  text: string,
): Promise<Map<string, string>> {
  const texts = new Map<string, string>()
  await eachRow(file, [key, text], sink, (cells) => void texts.set(cells(key), cells(text)))
  return texts
}

/** The categories of survey foods, by food. */
async function surveyCategories(files: readonly ArchivedFile[], sink: Sink): Promise<Map<string, string>> {
  const key = 'wweia_food_category'
  const names = await textsOf(fileIn(files, 'wweia_food_category.csv'), sink, key, `${key}_description`)
  const categories = new Map<string, string>()
  await eachRow(fileIn(files, 'survey_fndds_food.csv'), ['fdc_id'], sink, (cells) => {
    const name = names.get(cells('wweia_category_number') || cells('wweia_category_code'))
    if (name) categories.set(cells('fdc_id'), name)
  })
  return categories
}

/** Reads all files of the download that matter, in the order in which they need each other. @throws a fault if one is damaged */
export async function readCsv(files: readonly ArchivedFile[], sink: Sink): Promise<void> {
  const of = (name: string) => fileIn(files, name)
  const categories = await textsOf(of('food_category.csv'), sink, 'id', 'description')
  const ofSurvey = await surveyCategories(files, sink)
  await eachRow(of('food.csv'), ['fdc_id', 'data_type', 'description'], sink, (cells) => {
    const type = TYPES[cells('data_type')]
    if (!type) return sink.report.leaveOut('samples and other rows that are no foods')
    const foodId = cells('fdc_id')
    const category = categories.get(cells('food_category_id')) ?? ofSurvey.get(foodId) ?? cells('food_category_id')
    sink.food({ foodId, type, name: cells('description'), category, published: cells('publication_date') })
  })
  await eachRow(of('branded_food.csv'), ['fdc_id', 'brand_owner'], sink, (cells) => {
    const foodId = Number(cells('fdc_id'))
    const brand = brandOf(cells('brand_name'), cells('brand_owner'))
    sink.brand({
      foodId,
      brand,
      category: categoryOf(cells('branded_food_category')),
      barcode: tidy(cells('gtin_upc')),
    })
    const serving = servingOf(cells('serving_size'), cells('serving_size_unit'), cells('household_serving_fulltext'))
    if (serving) sink.portion(foodId, 0, serving)
  })
  await readPortions(files, sink)
  await readAmounts(files, sink)
}

async function readPortions(files: readonly ArchivedFile[], sink: Sink): Promise<void> {
  const units = await textsOf(fileIn(files, 'measure_unit.csv'), sink, 'id', 'name')
  units.set('9999', '') // "undetermined": the modifier says it
  await eachRow(fileIn(files, 'food_portion.csv'), ['fdc_id', 'gram_weight'], sink, (cells) => {
    const description = tidy(cells('portion_description'))
    const portion = portionOf(cells('gram_weight'), {
      ...{ amount: cells('amount'), unit: units.get(cells('measure_unit_id')) ?? null },
      ...{ description, modifier: tidy(cells('modifier')) },
    })
    if (portion) sink.portion(Number(cells('fdc_id')), Number(cells('seq_num')) || 0, portion)
  })
}

/** The rows of a food mostly follow each other: they are written together. */
async function readAmounts(files: readonly ArchivedFile[], sink: Sink): Promise<void> {
  // Some downloads name the nutrients of survey foods by their older numbers, which are below 1000.
  const byNumber = new Map<number, number>()
  await eachRow(fileIn(files, 'nutrient.csv'), ['id'], sink, (cells) => {
    byNumber.set(Number(cells('nutrient_nbr')), Number(cells('id')))
  })
  let current = -1
  let collected: CollectedAmounts | undefined
  const write = () => collected?.length && sink.setAmounts(current, packCollected(collected))
  const file = fileIn(files, 'food_nutrient.csv')
  if (!file) throw fault('The archive has no food_nutrient.csv: take the full download, or that of one kind of foods.')
  await eachRow(file, ['fdc_id', 'nutrient_id', 'amount'], sink, (cells) => {
    const nutrient = Number(cells('nutrient_id'))
    const id = nutrient < 1000 ? (byNumber.get(nutrient) ?? -1) : nutrient
    if (!isUsed(id) || cells('amount') === '') return
    const foodId = Number(cells('fdc_id'))
    if (foodId !== current) {
      write()
      current = foodId
      const known = sink.amountsOf(foodId)
      collected = known && (known.amounts === null ? [] : unpackCollected(known.amounts))
    }
    if (collected) collect(collected, foodId, id, Number(cells('amount')), sink.report)
  })
  write()
}
