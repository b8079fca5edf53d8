/** Food diaries as a table: a row for each entry, with a column for each nutrient. */
import { gramsOf, nutrientsOf } from '#conduct/foodDiary/rules'
import type { Db } from '#db/open'
import { nutrients } from '#design/foods/nutrients'
import type { Id } from '#kernel/id'
import { type Cell, momentText, type Sheet } from '#writers/cell'
import type { ExportContext } from './context'
import { type DiaryRow, diaryPages } from './foodDiaryStore'

const HEADERS = [
  ...['entryId', 'participantId', 'siteIds', 'groups', 'date', 'meal', 'foodId', 'food', 'brand', 'category'],
  ...['foodSource', 'portionGrams', 'portionDescription', 'quantity', 'grams', 'loggedAt', 'createdAt', 'updatedAt'],
  'createdByType',
  // Headers of statistics programs have no µ.
  ...nutrients.map(({ key, unit }) => `${key}_${unit === 'µg' ? 'ug' : unit}`),
]

type Source = Pick<ExportContext, 'trial' | 'scopes' | 'placeNames'> & { db: Db }

/** @param count the number of rows that were read so far */
export const foodDiaryTable = (from: Source, count: { rows: number }): Sheet => ({
  name: 'Food diary',
  columns: HEADERS.map((header) => ({ header })),
  rows: rows(from, count),
})

function* rows({ db, trial, scopes, placeNames }: Source, count: { rows: number }): Generator<Cell[]> {
  const named = (ids: string | null): string | null =>
    ids === null
      ? null
      : ids
          .split(',')
          .map((_id: Id) => placeNames.get(_id) ?? _id)
          .join('; ')
  for (const page of diaryPages(db, trial, scopes)) {
    count.rows += page.length
    for (const row of page) yield cellsOf(row, named)
  }
}

/** The cells of an entry, in the order of `HEADERS`. */
function cellsOf(row: DiaryRow, named: (ids: string | null) => string | null): Cell[] {
  const { food } = row
  const amounts = nutrientsOf(row)
  return [
    ...[row._id, row.participantId, named(row.sites), named(row.groups), row.date, row.meal, row.foodId],
    ...[food.name, food.brand, food.category, food.source, row.portionSize, row.portionDescription, row.quantity],
    ...[gramsOf(row), momentText(row.loggedAt), momentText(row.createdAt), momentText(row.updatedAt)],
    row.createdByType,
    ...nutrients.map(({ key }) => amounts[key] ?? null),
  ]
}
