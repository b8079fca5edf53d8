/** The order of what a search of foods finds (pure). */
import { singular, wordsOf } from './tokens'

/** A food as a search found it. `place` is its place in the table, which begins with the most common foods. */
export type FoodMatch = { name: string; brand: string | null; place: number; commonness: number }

/** A word of the search: how well each form of it fits. A form with a star is the beginning of a word. */
export type SearchTerm = readonly Readonly<{ form: string; fit: number }>[]

/** First parts of names that only say of what kind the food is. */
const KINDS = new Set(
  [
    ...[
      'nuts',
      'fish',
      'beverages',
      'beverage',
      'spices',
      'oil',
      'snacks',
      'candies',
      'cheese',
      'seeds',
      'beans',
      'soup',
    ],
    ...[
      'cookies',
      'crackers',
      'bread',
      'cake',
      'pie',
      'rolls',
      'sauce',
      'cereals',
      'crustaceans',
      'mollusks',
      'syrups',
    ],
    ...['salad dressing', 'fast foods', 'alcoholic beverage', 'sugars', 'melons', 'squash', 'leavening agents', 'pork'],
    ...[
      'ice creams',
      'puddings',
      'game meat',
      'sausage',
      'restaurant',
      'beef',
      'lettuce',
      'mushrooms',
      'juice',
      'sweeteners',
    ],
  ].map((kind) => wordsOf(kind).map(singular).join(' ')),
)

/** The words of the first part of a name, or of the second if the first is a kind that was not searched for. */
function headOf(parts: readonly (readonly string[])[], isSought: (word: string) => boolean): readonly string[] {
  const [first = [], second] = parts
  const isKind = second && KINDS.has(first.map(singular).join(' ')) && !first.some(isSought)
  return isKind ? second : first
}

/** How well a word fits a term, from 0 to 1. */
function fitOf(word: string, term: SearchTerm): number {
  let best = 0
  for (const { form, fit } of term) {
    if (!form.endsWith('*')) {
      if (word === form || singular(word) === form) best = Math.max(best, fit)
    } else if (word.startsWith(form.slice(0, -1))) {
      // The more of the word is typed, the better.
      best = Math.max(best, fit * (0.6 + (0.3 * (form.length - 1)) / word.length))
    }
  }
  return best
}

const WEIGHTS = { fit: 100, head: 35, first: 12, length: 18, common: 40 }

/** How good a find is; the higher, the further up in the list. */
function scoreOf(food: FoodMatch, terms: readonly SearchTerm[]): number {
  const parts = food.name.split(',').map(wordsOf)
  const own = parts.flat()
  const brand = food.brand === null ? [] : wordsOf(food.brand)
  const fits = terms.map((term) => {
    let best = 0
    for (const word of own) best = Math.max(best, fitOf(word, term))
    for (const word of brand) best = Math.max(best, 0.9 * fitOf(word, term))
    return best
  })
  const isSought = (word: string) => terms.some((term) => fitOf(word, term) > 0)
  const head = headOf(parts, isSought)
  const share = (words: readonly string[]) => words.filter(isSought).length / Math.max(1, words.length)
  return (
    (WEIGHTS.fit * fits.reduce((sum, fit) => sum + fit, 0)) / Math.max(1, terms.length) +
    WEIGHTS.head * share(head) +
    WEIGHTS.first * Number(head[0] !== undefined && isSought(head[0])) +
    WEIGHTS.length * share(own) +
    WEIGHTS.common * food.commonness
  )
}

/** The best first; foods that are as good in the order of the table. */
export const rankFoods = <F extends FoodMatch>(found: readonly F[], terms: readonly SearchTerm[]): F[] =>
  found
    .map((food) => ({ food, score: scoreOf(food, terms) }))
    .sort((a, b) => b.score - a.score || a.food.place - b.food.place)
    .map(({ food }) => food)
