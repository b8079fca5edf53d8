/** The words of names of foods, as a search compares them (pure). */

/** Letters that are not a letter with a mark. */
const LETTERS: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd', ı: 'i' }

/** Lower case without marks: "Jalapeño" becomes "jalapeno". */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[ßæœøłđı]/g, (letter) => LETTERS[letter]!)

/** The words of a text, in order: "M&M's" is one, "coca-cola" two. */
export const wordsOf = (text: string): string[] =>
  foldText(text)
    .replace(/[’'`&](?=[\p{L}\p{N}])|(?<=[\p{L}\p{N}])[’'`]/gu, '')
    .match(/[\p{L}\p{N}]+/gu) ?? []

/** The singular of an English word, as far as its ending says. Words that are no plurals stay what they are. */
export function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(ss|us|is)$/.test(word)) return word
  if (word.endsWith('ies')) return word.length > 4 ? `${word.slice(0, -3)}y` : word.slice(0, -1)
  if (word.endsWith('ves'))
    return /(loaves|halves|calves|knives)$/.test(word) ? `${word.slice(0, -3)}f` : word.slice(0, -1)
  if (/(oes|ches|shes|sses|xes)$/.test(word)) return word.slice(0, -2)
  return word.slice(0, -1)
}

/** Words for the same food, mostly British and American ones, in the singular. */
const SYNONYMS: readonly (readonly string[])[] = [
  ['yogurt', 'yoghurt', 'yoghourt', 'joghurt'],
  ['zucchini', 'courgette'],
  ['eggplant', 'aubergine', 'brinjal'],
  ['cilantro', 'coriander'],
  ['arugula', 'rocket', 'rucola'],
  ['shrimp', 'prawn'],
  ['oatmeal', 'porridge', 'oat'],
  ['catsup', 'ketchup'],
  ['cookie', 'biscuit'],
  ['soda', 'pop'],
  ['corn', 'maize', 'sweetcorn'],
  ['chickpea', 'garbanzo'],
  ['peanut', 'groundnut'],
  ['beet', 'beetroot'],
  ['rutabaga', 'swede'],
  ['whisky', 'whiskey'],
  ['chili', 'chilli', 'chile'],
  ['hazelnut', 'filbert'],
  ['molasses', 'treacle'],
  ['ground', 'minced', 'mince'],
  ['soy', 'soya'],
  ['soybean', 'soyabean'],
  ['donut', 'doughnut'],
  ['tangerine', 'mandarin', 'satsuma'],
  ['litchi', 'lychee'],
  ['papaya', 'pawpaw'],
  ['gherkin', 'pickle'],
  ['skim', 'skimmed', 'nonfat'],
  ['wholemeal', 'wholewheat'],
  ['frankfurter', 'frank', 'hotdog', 'wiener'],
  ['flaxseed', 'linseed'],
  ['spaghetti', 'pasta', 'macaroni'],
  ['coke', 'cola'],
  ['broadbean', 'fava'],
  ['fibre', 'fiber'],
  ['chip', 'crisp'],
  ['fry', 'fried'],
]
const synonymsOf = new Map(
  SYNONYMS.flatMap((group) => group.map((word) => [word, group.filter((other) => other !== word)])),
)

/** Other words that a name may have in place of this one: its singular, and words for the same. */
export function otherForms(word: string): { singular: string; synonyms: readonly string[] } {
  const one = singular(word)
  return { singular: one, synonyms: synonymsOf.get(one) ?? synonymsOf.get(word) ?? [] }
}

/**
 * What the index holds of a name: its words, their singulars, and the parts of a word with a hyphen as one ("7-Up" as "7up" too).
 * Each is there once.
 */
export function indexedWords(text: string): Set<string> {
  const words = new Set<string>()
  for (const word of wordsOf(text)) words.add(word).add(singular(word))
  for (const joined of text.match(/[\p{L}\p{N}]+(?:-[\p{L}\p{N}]+)+/gu) ?? [])
    for (const word of wordsOf(joined.replaceAll('-', ''))) words.add(word).add(singular(word))
  return words
}
