/**
 * A table of foods: a database of its own, which nothing changes once it is made (docs/food.md, "The table of foods"). Its rows are
 * sorted, the most common foods first, so that a search reads only the beginning of what it finds.
 */
import { openSqlite, type Sqlite } from '#db/open'
import { packAmounts } from './nutrients'
import { indexedWords } from './tokens'
import type { Food, Portion } from './types'

/** Increased when older programs could not read the table. */
export const FORMAT = 1

/** What a table says of itself. `importedAt` in microseconds; null for the built-in one. */
export type TableInfo = { source: string; importedAt: number | null; foods: number }

const COMMON_WORDS = 80_000

const SCHEMA = [
  `CREATE TABLE about (format INTEGER NOT NULL, source TEXT NOT NULL, importedAt INTEGER, foods INTEGER NOT NULL) STRICT`,
  `CREATE TABLE foods (
    place INTEGER PRIMARY KEY, foodId INTEGER NOT NULL, name TEXT NOT NULL, brand TEXT, category TEXT, type TEXT NOT NULL,
    source INTEGER NOT NULL, commonness REAL NOT NULL, portions TEXT NOT NULL, amounts TEXT NOT NULL) STRICT`,
  'CREATE TABLE sources (_id INTEGER PRIMARY KEY, source TEXT NOT NULL UNIQUE) STRICT',
  // Without positions and sizes of columns: the order of the rows is the order of the results.
  `CREATE VIRTUAL TABLE foodWords USING fts5(words, content='', detail=none, columnsize=0, prefix='1 2 3')`,
  'CREATE TABLE words (word TEXT PRIMARY KEY, foods INTEGER NOT NULL) STRICT, WITHOUT ROWID',
  // Those of most foods, the commonest first: what misspelt words are compared with.
  'CREATE TABLE commonWords (place INTEGER PRIMARY KEY, word TEXT NOT NULL, foods INTEGER NOT NULL) STRICT',
]

/** What a table holds of a food besides its portions and amounts. */
type FoodFields = Omit<Food, 'portions' | 'amounts'>

/** Portions as a table holds them: a list of [size, description] in JSON. */
export const packPortions = (portions: readonly Portion[]): string =>
  JSON.stringify(portions.map(({ size, description }) => [size, description]))

/** Writes a new table. Add the foods in their order, then call `finish`. */
export function newTable(sqlite: Sqlite) {
  for (const statement of SCHEMA) sqlite.run(statement)
  type FoodRow = Omit<FoodFields, 'source'> & { place: number; source: number; commonness: number } & PackedFields
  type PackedFields = { portions: string; amounts: string }
  const insert = sqlite.query<unknown, [FoodRow]>(
    'INSERT INTO foods VALUES ($place, $foodId, $name, $brand, $category, $type, $source, $commonness, $portions, $amounts)',
  )
  const index = sqlite.query<unknown, [{ place: number; words: string }]>(
    'INSERT INTO foodWords (rowid, words) VALUES ($place, $words)',
  )
  const sources = new Map<string, number>()
  function sourceOf(source: string): number {
    let _id = sources.get(source)
    if (_id === undefined) {
      sources.set(source, (_id = sources.size + 1))
      sqlite.query('INSERT INTO sources VALUES ($_id, $source)').run({ _id, source })
    }
    return _id
  }
  let place = 0
  /** @param commonness from 0 to 1 */
  function addPacked(
    { foodId, name, brand, category, type, source }: FoodFields,
    commonness: number,
    packed: PackedFields,
  ): void {
    place++
    insert.run({ place, foodId, name, brand, category, type, source: sourceOf(source), commonness, ...packed })
    index.run({ place, words: [...indexedWords(`${name} ${brand ?? ''}`)].join(' ') })
  }
  return {
    addPacked,
    add: ({ amounts, portions, ...food }: Food, commonness: number): void =>
      addPacked(food, commonness, { portions: packPortions(portions), amounts: packAmounts(amounts) }),
    /** Makes the index and says what the table is. Returns how many foods it has. */
    finish(source: string, importedAt: number | null): number {
      sqlite.run("INSERT INTO foodWords (foodWords) VALUES ('optimize')")
      sqlite.run('CREATE UNIQUE INDEX foodsById ON foods (foodId)')
      sqlite.run("CREATE VIRTUAL TABLE temp.indexed USING fts5vocab(main, 'foodWords', 'row')")
      sqlite.run('INSERT INTO words SELECT term, doc FROM temp.indexed')
      sqlite.run('DROP TABLE temp.indexed')
      sqlite.run(
        `INSERT INTO commonWords (word, foods) SELECT word, foods FROM words WHERE length(word) > 2
         ORDER BY foods DESC, word LIMIT ${COMMON_WORDS}`,
      )
      sqlite
        .query('INSERT INTO about VALUES ($format, $source, $importedAt, $foods)')
        .run({ format: FORMAT, source, importedAt, foods: place })
      return place
    },
  }
}

export type NewTable = ReturnType<typeof newTable>

/** What the table of a file says of itself; undefined if it is not a whole table that this program can read. */
export function tableInfoOf(sqlite: Sqlite): TableInfo | undefined {
  try {
    const row = sqlite.query<TableInfo & { format: number }, []>('SELECT * FROM about').get()
    if (row?.format !== FORMAT) return undefined
    return { source: row.source, importedAt: row.importedAt, foods: row.foods }
  } catch {
    return undefined
  }
}

/** A database in memory. */
export const memoryTable = (): Sqlite => openSqlite(':memory:')
