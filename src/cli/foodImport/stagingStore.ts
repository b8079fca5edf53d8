/** The files that an import writes: the new table of foods, and beside it what was read so far, in the order of the download. */
import { Database } from 'bun:sqlite'
import { closeSync, fsyncSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Sqlite } from '#db/open'
import type { FoodType } from '#db/tables/foodDiary'
import { newTable } from '#design/foods/tableStore'
import { FOODS_FILE, type Portion } from '#design/foods/types'
import { clearAbandonedImports } from '#server/process/abandonedFiles'

/** A food as it was read, before its amounts are known. `rank` sorts the table: the smallest number comes first. */
export type StagedFood = {
  foodId: number
  type: FoodType
  name: string
  brand: string | null
  category: string | null
  source: string
  barcode: string | null
  rank: number
  commonness: number
}

const SCHEMA = [
  `CREATE TABLE staged.foods (
    foodId INTEGER PRIMARY KEY, type TEXT NOT NULL, name TEXT NOT NULL, brand TEXT, category TEXT, source TEXT NOT NULL,
    barcode TEXT, rank INTEGER NOT NULL, commonness REAL NOT NULL) STRICT`,
  'CREATE TABLE staged.amounts (foodId INTEGER PRIMARY KEY, amounts TEXT NOT NULL) STRICT',
  'CREATE TABLE staged.portions (foodId INTEGER NOT NULL, place INTEGER NOT NULL, size REAL NOT NULL, description TEXT NOT NULL) STRICT',
]
/** Of products that are there in several versions, the newest. */
const NEWEST = `(f.barcode IS NULL OR f.foodId = (SELECT max(foodId) FROM staged.foods n WHERE n.barcode = f.barcode))`
const MOST_PORTIONS = 12

function openFile(path: string): Sqlite {
  const sqlite = new Database(path, { create: true, strict: true })
  // The file counts only once it is whole and has its name: nothing has to be rolled back.
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF', 'cache_size = -65536', 'temp_store = FILE'])
    sqlite.run(`PRAGMA ${pragma}`)
  return sqlite
}

/** Begins an import into a data directory. Call `finish`, which puts the table in place, or `abandon`. */
export function beginStaging(folder: string, mark: string) {
  clearAbandonedImports(folder)
  const path = join(folder, `${FOODS_FILE}.${mark}.part`)
  const staged = join(folder, `${FOODS_FILE}.staged.${mark}.part`)
  const sqlite = openFile(path)
  sqlite.query('ATTACH $staged AS staged').run({ staged })
  for (const pragma of ['journal_mode = OFF', 'synchronous = OFF']) sqlite.run(`PRAGMA staged.${pragma}`)
  for (const statement of SCHEMA) sqlite.run(statement)
  sqlite.run('BEGIN')
  const insert = sqlite.query<unknown, [StagedFood]>(
    `INSERT OR REPLACE INTO staged.foods
     VALUES ($foodId, $type, $name, $brand, $category, $source, $barcode, $rank, $commonness)`,
  )
  const brand = sqlite.query<unknown, [Pick<StagedFood, 'foodId' | 'brand' | 'category' | 'barcode'>]>(
    'UPDATE staged.foods SET brand = $brand, category = coalesce($category, category), barcode = $barcode WHERE foodId = $foodId',
  )
  const knownFood = sqlite.query<{ amounts: string | null }, [{ foodId: number }]>(
    'SELECT (SELECT amounts FROM staged.amounts WHERE foodId = $foodId) AS amounts FROM staged.foods WHERE foodId = $foodId',
  )
  const amounts = sqlite.query<unknown, [{ foodId: number; amounts: string }]>(
    'INSERT OR REPLACE INTO staged.amounts VALUES ($foodId, $amounts)',
  )
  const portion = sqlite.query<unknown, [Portion & { foodId: number; place: number }]>(
    'INSERT INTO staged.portions VALUES ($foodId, $place, $size, $description)',
  )
  const close = () => {
    sqlite.close()
    rmSync(staged, { force: true })
  }
  return {
    addFood: (food: StagedFood) => void insert.run(food),
    addBrand: (food: Parameters<typeof brand.run>[0]) => void brand.run(food),
    /** What is known of a food so far; undefined if it is not in the table. */
    amountsOf: (foodId: number) => knownFood.get({ foodId }) ?? undefined,
    setAmounts: (foodId: number, packed: string) => void amounts.run({ foodId, amounts: packed }),
    addPortion: (foodId: number, place: number, of: Portion) => void portion.run({ ...of, foodId, place }),
    /** Forgets what is known of a food, which another source has too. */
    forget(foodId: number): void {
      for (const table of ['foods', 'amounts', 'portions'])
        sqlite.query(`DELETE FROM staged.${table} WHERE foodId = $foodId`).run({ foodId })
    },
    /** Writes the table and puts it in place of the old one. Returns how many foods it has, and why others are missing. */
    finish(source: string, now: number): { foods: number; older: number; empty: number } {
      sqlite.run('CREATE INDEX staged.byBarcode ON foods (barcode, foodId) WHERE barcode IS NOT NULL')
      sqlite.run('CREATE INDEX staged.byFood ON portions (foodId, place)')
      const table = newTable(sqlite)
      type Row = StagedFood & { amounts: string; portions: string }
      const rows = sqlite
        .query<Row, []>(
          `SELECT f.*, a.amounts, (SELECT json_group_array(json_array(size, description)) FROM (SELECT size, description
             FROM staged.portions p WHERE p.foodId = f.foodId ORDER BY place LIMIT ${MOST_PORTIONS})) AS portions
           FROM staged.foods f CROSS JOIN staged.amounts a ON a.foodId = f.foodId
           WHERE ${NEWEST} ORDER BY f.rank, f.foodId`,
        )
        .iterate()
      for (const { amounts, portions, commonness, barcode: _, rank: __, ...food } of rows)
        table.addPacked(food, commonness, { portions, amounts: amounts.replace(/@\d+/g, '') })
      const foods = table.finish(source, now)
      const count = (condition: string) =>
        sqlite.query<{ n: number }, []>(`SELECT count(*) AS n FROM staged.foods f WHERE ${condition}`).get()!.n
      const older = count(`NOT ${NEWEST}`)
      const empty = count(`${NEWEST} AND NOT EXISTS (SELECT 1 FROM staged.amounts a WHERE a.foodId = f.foodId)`)
      sqlite.run('COMMIT')
      close()
      putInPlace(path, join(folder, FOODS_FILE))
      return { foods, older, empty }
    },
    abandon(): void {
      close()
      rmSync(path, { force: true })
    },
  }
}

export type Staging = ReturnType<typeof beginStaging>

/** Flushes the file to the disk and gives it its name. */
function putInPlace(from: string, to: string): void {
  const file = openSync(from, 'r+')
  fsyncSync(file)
  closeSync(file)
  renameSync(from, to)
  if (process.platform === 'win32') return
  const directory = openSync(dirname(to), 'r')
  fsyncSync(directory)
  closeSync(directory)
}
