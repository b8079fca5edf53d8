/** The built-in table of foods, in memory (data/foods/README.md says where it is from). */
import type { Sqlite } from '#db/open'
import common from '../../../data/foods/common.tsv' with { type: 'text' }
import { type Amounts, nutrients } from './nutrients'
import { memoryTable, newTable } from './tableStore'
import type { Food } from './types'

const BUILT_IN = 'USDA FoodData Central, a selection of common foods'
const SOURCES = { SR: 'USDA FoodData Central, SR Legacy', SR24: 'USDA Standard Reference 24' } as const

function foodOf(cells: readonly string[], at: ReadonlyMap<string, number>): Food {
  const cell = (name: string) => cells[at.get(name)!]!
  const amounts: Record<string, number> = {}
  for (const { key } of nutrients) if (at.has(key) && cell(key) !== '') amounts[key] = Number(cell(key))
  const portions = cell('portions').split(' | ').filter(Boolean)
  return {
    foodId: Number(cell('fdcId')),
    name: cell('name'),
    brand: null,
    category: cell('category') || null,
    type: 'srLegacy',
    source: cell('source') === 'SR' ? SOURCES.SR : SOURCES.SR24,
    portions: portions.map((each) => {
      const end = each.indexOf('=')
      return { size: Number(each.slice(0, end)), description: each.slice(end + 1) }
    }),
    amounts: amounts satisfies Amounts,
  }
}

/** The foods of the built-in table, the most common first. */
export function builtInFoods(): Food[] {
  const [header, ...lines] = common
    .trimEnd()
    .split('\n')
    .map((line) => line.split('\t'))
  const at = new Map(header!.map((name, place) => [name, place]))
  return lines.map((cells) => foodOf(cells, at))
}

/** How common the food at a place of the built-in table is, from 1 down to 0.5. */
export const commonnessAt = (place: number, foods: number): number => 1 - (0.5 * place) / foods

/** Makes the table in memory. */
export function builtInTable(): Sqlite {
  const sqlite = memoryTable()
  const table = newTable(sqlite)
  const foods = builtInFoods()
  sqlite.transaction(() => {
    for (const [place, food] of foods.entries()) table.add(food, commonnessAt(place, foods.length))
    table.finish(BUILT_IN, null)
  })()
  return sqlite
}
