/**
 * Writes a made-up download in the form of FoodData Central's csv archive, to measure imports and searches:
 *
 *     bun scripts/foods/synthetic.ts <file.zip> [products]
 *
 * Names are made of words that are as frequent as those of a language; the values mean nothing.
 */
import { randomFrom } from '../../src/kernel/random'
import { writeNew } from '../../src/writers/file'
import { zipTo } from '../../src/writers/zip'

const [path, count = '2000000'] = process.argv.slice(2)
if (!path) throw new Error('This needs the name of the archive.')
const products = Number(count)
const { unit: random } = randomFrom(11)
const below = (end: number) => Math.floor(random() * end)

const FOODS =
  'chicken beef pork turkey salmon tuna shrimp cheese yogurt milk butter cream bread bagel pizza pasta noodles rice beans soup sauce salsa ketchup mustard mayonnaise dressing oil vinegar chips crackers cookies candy chocolate caramel vanilla strawberry blueberry raspberry banana apple orange lemon lime mango pineapple peach cherry grape almond peanut cashew walnut granola cereal oats bar juice soda water tea coffee lemonade popcorn pretzels ice cake pie brownie muffin donut tortilla burrito taco sausage bacon ham hummus guacamole pickles olives tomato potato carrots broccoli spinach kale lettuce corn peas mushrooms onion garlic pepper jalapeno cinnamon honey syrup jam jelly spread'.split(
    ' ',
  )
const KINDS =
  'organic original natural whole low fat free reduced sodium gluten sugar classic premium homestyle roasted smoked sweet spicy crunchy creamy mini family size fresh frozen sliced shredded diced chunk style flavored seasoned unsalted salted dark light extra thick thin crispy soft baked fried grilled'.split(
    ' ',
  )
/** Few words are frequent and most are rare, as in a language. */
const rare = Array.from({ length: 60_000 }, () => {
  const syllables = 2 + below(3)
  return Array.from(
    { length: syllables },
    () => 'bcdfghklmnprstvz'[below(16)]! + 'aeiou'[below(5)]! + ['', '', 'n', 'r', 's'][below(5)]!,
  ).join('')
})
const rareWord = () => rare[Math.floor(rare.length ** random()) - 1]!
const brands = Array.from(
  { length: 40_000 },
  () => `${rareWord()} ${['foods', 'farms', 'kitchen', 'brands', 'company, inc.'][below(5)]}`,
)
const brand = () => brands[Math.floor(brands.length ** random()) - 1]!
const one = (words: readonly string[]) => words[Math.floor(words.length * random() ** 1.6)]!

function name(): string {
  const words = [
    one(KINDS),
    one(FOODS),
    ...(random() < 0.7 ? [one(FOODS)] : []),
    ...(random() < 0.5 ? [one(KINDS)] : []),
  ]
  if (random() < 0.5) words.splice(below(words.length), 0, rareWord())
  return words.join(' ').toUpperCase() + (random() < 0.3 ? `, ${one(FOODS).toUpperCase()}` : '')
}

const line = (...cells: (string | number)[]) =>
  `${cells.map((cell) => `"${`${cell}`.replaceAll('"', '""')}"`).join(',')}\n`
const NUTRIENTS = [1008, 1003, 1004, 1005, 2000, 1079, 1258, 1253, 1093, 1087, 1089, 1235, 1257, 1104]
const FIRST = 3_000_000
const FOLDER = 'FoodData_Central_csv_2026-01-01'

await writeNew(path, async (output) => {
  const zip = zipTo(output)
  async function part(file: string, header: string, rows: Iterable<string>) {
    const part = zip.part(`${FOLDER}/${file}`)
    let text = `${header}\n`
    for (const row of rows) {
      text += row
      if (text.length > 1 << 18) {
        await part.write(text)
        text = ''
      }
    }
    await part.write(text)
    await part.end()
  }
  function* each(row: (foodId: number) => string) {
    for (let n = 0; n < products; n++) yield row(FIRST + n)
  }
  await part('food_category.csv', '"id","code","description"', [line(26, 4500, 'Branded Food Products Database')])
  await part('nutrient.csv', '"id","name","unit_name","nutrient_nbr","rank"', [line(1008, 'Energy', 'KCAL', 208, 300)])
  await part(
    'food.csv',
    '"fdc_id","data_type","description","food_category_id","publication_date"',
    each((id) => line(id, 'branded_food', name(), 'Snacks', '2026-01-01')),
  )
  await part(
    'branded_food.csv',
    '"fdc_id","brand_owner","brand_name","subbrand_name","gtin_upc","ingredients","not_a_significant_source_of","serving_size","serving_size_unit","household_serving_fulltext","branded_food_category","data_source","package_weight","modified_date","available_date","market_country","discontinued_date","preparation_state_code","trade_channel","short_description","material_code"',
    each((id) =>
      line(
        id,
        brand(),
        random() < 0.6 ? rareWord() : '',
        '',
        `0${id}`,
        'WATER, SUGAR, SALT',
        '',
        10 + below(200),
        'g',
        '1 serving',
        'Snacks',
        'LI',
        '',
        '2025-01-01',
        '2025-01-01',
        'United States',
        '',
        '',
        '',
        '',
        '',
      ),
    ),
  )
  let row = 0
  await part(
    'food_nutrient.csv',
    '"id","fdc_id","nutrient_id","amount","data_points","derivation_id","min","max","median","loq","footnote","min_year_acquired","percent_daily_value"',
    each((id) =>
      NUTRIENTS.map((nutrient) =>
        line(++row, id, nutrient, (random() * 90).toFixed(2), '', 70, '', '', '', '', '', '', ''),
      ).join(''),
    ),
  )
  zip.end()
})
