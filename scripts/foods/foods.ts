/**
 * Makes `data/foods/common.tsv`, the built-in table of foods, from two copies of the USDA's tables (see data/foods/README.md):
 *
 *     bun scripts/foods/foods.ts <foods.json> <folder>
 *
 * `foods.json` has foods of SR Legacy with their fdcId; the folder has those of SR24 as XML, one file a food, with their usual
 * portions. A food is written only if both have it, and no value is written that they do not say: the JSON has 0 where a value is
 * unknown, so that a 0 counts only if SR24 says 0 too. The JSON has the energy in kJ only, and no carbohydrate: that is the one of
 * SR24 if it fits the other values of the JSON, else the difference that defines it.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { nutrients } from '../../src/design/foods/nutrients'

type Amounts = Record<string, { amount: number; unit: string } | undefined>
type Food = { fdcId: string; name: string; category: string; amounts: Amounts }
type OldFood = { ndb: string; name: string; amounts: Record<string, number>; portions: [grams: number, text: string][] }

/**
 * Where a nutrient is in the JSON and in the XML. `per`: what one unit of the XML is in ours; 0 if it is measured in another way, so
 * that only its zeros count.
 */
const PLACES: Record<string, { json?: string; xml: string; per?: number }> = {
  energy: { xml: 'Energy' },
  carbohydrate: { xml: 'Carbs' },
  protein: { json: 'protein', xml: 'Protein' },
  fat: { json: 'fat', xml: 'Fat' },
  fibre: { json: 'fiber', xml: 'Fiber' },
  sugars: { json: 'sugars', xml: 'Sugars' },
  saturatedFat: { json: 'fatty_acids_saturated', xml: 'Saturated' },
  monounsaturatedFat: { json: 'fatty_acids_monounsaturated', xml: 'Monounsaturated' },
  polyunsaturatedFat: { json: 'fatty_acids_polyunsaturated', xml: 'Polyunsaturated' },
  cholesterol: { json: 'cholesterol', xml: 'Cholesterol' },
  sodium: { json: 'sodium', xml: 'Sodium' },
  potassium: { json: 'potassium', xml: 'Potassium' },
  calcium: { json: 'calcium', xml: 'Calcium' },
  iron: { json: 'iron', xml: 'Iron' },
  magnesium: { json: 'magnesium', xml: 'Magnesium' },
  phosphorus: { json: 'phosphorus', xml: 'Phosphorus' },
  zinc: { json: 'zinc', xml: 'Zinc' },
  copper: { json: 'copper', xml: 'Copper' },
  manganese: { json: 'manganese', xml: 'Manganese' },
  selenium: { json: 'selenium', xml: 'Selenium' },
  vitaminA: { json: 'vitamin_a', xml: 'Vitamin A', per: 0 },
  vitaminC: { json: 'vitamin_c', xml: 'Vitamin C' },
  vitaminD: { json: 'vitamin_d', xml: 'Vitamin D', per: 0.025 },
  vitaminE: { json: 'vitamin_e', xml: 'Vitamin E' },
  vitaminK: { json: 'vitamin_k', xml: 'Vitamin K' },
  thiamin: { json: 'thiamin', xml: 'B1 (Thiamine)' },
  riboflavin: { json: 'riboflavin', xml: 'B2 (Riboflavin)' },
  niacin: { json: 'niacin', xml: 'B3 (Niacin)' },
  pantothenicAcid: { json: 'pantothenic_acid', xml: 'B5 (Pantothenic Acid)' },
  vitaminB6: { json: 'vitamin_b6', xml: 'B6 (Pyridoxine)' },
  folate: { json: 'folate', xml: 'Folate' },
  vitaminB12: { json: 'vitamin_b12', xml: 'B12 (Cyanocobalamin)' },
  choline: { json: 'choline', xml: 'Choline' },
  water: { json: 'water', xml: 'Water' },
  alcohol: { json: 'alcohol', xml: 'Alcohol' },
  caffeine: { json: 'caffeine', xml: 'Caffeine' },
}
/** What two foods of one record have in common, whatever their names are. */
const COMPARED = [
  'water',
  'protein',
  'fat',
  'calcium',
  'iron',
  'magnesium',
  'potassium',
  'sodium',
  'zinc',
  'vitaminC',
  'niacin',
]
const PORTIONS = 6

const [json, folder] = process.argv.slice(2)
if (!json || !folder) throw new Error('This needs the JSON of SR Legacy and the folder of SR24.')

const plain = (text: string) =>
  text.replace(
    /&(quot|apos|lt|gt|amp);/g,
    (_, name: string) => ({ quot: '"', apos: "'", lt: '<', gt: '>', amp: '&' })[name]!,
  )
const simple = (name: string) => name.replace(/\s+/g, ' ').trim().toLowerCase()

function readOldFood(path: string): OldFood {
  const xml = readFileSync(path, 'utf8')
  const text = (name: string, from: string) => plain(new RegExp(` ${name}="([^"]*)"`).exec(from)![1]!)
  const amounts = Object.fromEntries(
    (xml.match(/<nutrient [^>]*>/g) ?? []).map((each) => [text('name', each), Number(text('amount', each))]),
  )
  const portions = (xml.match(/<measure [^>]*>/g) ?? []).map((each): [number, string] => [
    Number(text('grams', each)),
    `${Number(text('amount', each))} ${text('name', each)}`,
  ])
  return { ndb: text('uid', xml), name: text('name', xml), amounts, portions }
}

const old = new Map(
  readdirSync(folder)
    .filter((name) => /^\d+\.xml$/.test(name))
    .map((name) => [name.slice(0, 5), readOldFood(join(folder, name))]),
)
const variants = (JSON.parse(readFileSync(json, 'utf8')) as { variants: Record<string, unknown>[] }[]).flatMap(
  (group) => group.variants,
)
const foods = new Map(
  variants.map((each) => {
    const fdcId = `${each.sourceId}`
    const name = `${each.originalUsdaDescription}`.replace(/\s+/g, ' ').trim()
    const category = (each.category as { name: string }).name
    return [fdcId, { fdcId, name, category, amounts: each.nutrients as Amounts } satisfies Food]
  }),
)

const digits = (value: number) => Number(value.toPrecision(8))
const oldAmount = ({ amounts }: OldFood, key: string): number | undefined => {
  const { xml, per = 1 } = PLACES[key]!
  const amount = amounts[xml]
  return amount === undefined || (per === 0 && amount > 0) ? undefined : digits(amount * per)
}
const fingerprint = (amount: (key: string) => number) => COMPARED.map(amount).join('|')
const byName = new Map([...old.values()].map((each) => [simple(each.name), each]))
const byValues = Map.groupBy(old.values(), (each) => fingerprint((key) => oldAmount(each, key) ?? 0))

/** The same food in SR24: that of the same name, else the only one with the same values. */
function partnerOf({ name, amounts }: Food): OldFood | undefined {
  const same = byValues.get(fingerprint((key) => amounts[PLACES[key]!.json!]!.amount))
  return byName.get(simple(name)) ?? (same?.length === 1 ? same[0] : undefined)
}

/** From these the carbohydrate is computed: it is what they leave of 100 g. */
const OTHERS = { water: 'Water', protein: 'Protein', fat: 'Fat', ash: 'Ash', alcohol: 'Alcohol' }
const rest = (amount: (json: string, xml: string) => number) =>
  Object.entries(OTHERS).reduce((left, [json, xml]) => left - amount(json, xml), 100)

/** That of SR24 if nothing it depends on changed since; else computed, unless SR24 computed it in another way; else unknown. */
function carbohydrateOf({ amounts }: Food, partner: OldFood): number | undefined {
  const before = partner.amounts.Carbs
  const now = rest((json) => amounts[json]!.amount)
  const then = rest((_, xml) => partner.amounts[xml] ?? 0)
  if (before === undefined || before === 0 || Math.abs(now - then) < 0.005) return before
  if (Math.abs(now - before) < 0.035) return before // another rounding
  return Math.abs(then - before) < 0.1 ? Number(Math.max(0, now).toFixed(2)) : undefined
}

/** The amount per 100 g; undefined if it is not known. */
function amountOf(key: string, food: Food, partner: OldFood): number | undefined {
  const before = oldAmount(partner, key)
  const { json: place } = PLACES[key]!
  if (place !== undefined) {
    const now = food.amounts[place]!.amount
    return now === 0 ? (before === 0 ? 0 : undefined) : digits(now)
  }
  if (key === 'energy') return Math.round(food.amounts.energy!.amount / 4.184)
  return key === 'carbohydrate' ? carbohydrateOf(food, partner) : undefined
}

const keys = nutrients.map(({ key }) => key)
const lines = [['fdcId', 'name', 'category', 'source', 'portions', ...keys].join('\t')]
const seen = new Set<string>()
/** The category of most foods whose NDB number begins with these two digits. */
const categories = new Map(
  [...foods.values()].flatMap((food) => {
    const partner = byName.get(simple(food.name))
    return partner ? [[partner.ndb.slice(0, 2), food.category]] : []
  }),
)
const note = (text: string) => process.stderr.write(`${text}\n`)

for (const listed of readFileSync(join(import.meta.dir, 'list.txt'), 'utf8').split('\n')) {
  if (listed.startsWith('#')) continue
  for (const item of listed.split(' ').filter(Boolean)) {
    const [fdcId, ndb] = item.split('+') as [string, string?]
    if (seen.has(fdcId)) continue
    seen.add(fdcId)
    const food = foods.get(fdcId)
    const partner = ndb === undefined ? food && partnerOf(food) : old.get(ndb)
    if (!partner) {
      note(`${fdcId} ${food?.name ?? ''}: not in both tables`)
      continue
    }
    const amounts = keys.map((key) =>
      PLACES[key] ? (food ? amountOf(key, food, partner) : oldAmount(partner, key)) : undefined,
    )
    const portions = partner.portions
      .slice(0, PORTIONS)
      .map(([grams, text]) => `${grams}=${text}`)
      .join(' | ')
    const { name, category } = food ?? { name: partner.name, category: categories.get(partner.ndb.slice(0, 2))! }
    const source = food ? 'SR' : `SR24 ${partner.ndb}`
    lines.push([fdcId, name, category, source, portions, ...amounts.map((each) => each ?? '')].join('\t'))
  }
}
process.stdout.write(`${lines.join('\n')}\n`)
note(`${lines.length - 1} foods`)
