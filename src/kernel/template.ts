/**
 * How a text of any catalogue is found and filled: refusals, the texts that the service sends, and those of its pages. It runs in
 * browsers too, so it imports nothing.
 */

/** A key without `.one` or `.other`: a text that depends on a number. */
export type CountedKeyOf<K extends string> = K extends `${infer Name}.one` ? Name : never

/** The code of a text: its key, without the form of a number. */
export type CodeOf<K> = K extends `${infer Name}.one` | `${infer Name}.other` ? Name : K

type NameOf<Inside extends string> = Inside extends `${infer Name}:${string}` ? Name : Inside
/** The names of the placeholders in a text. */
export type PlaceholderIn<T extends string> = T extends `${string}{${infer Inside}}${infer Rest}`
  ? NameOf<Inside> | PlaceholderIn<Rest>
  : never

/** The values of the placeholders, by name. A list is written with commas. */
export type ValuesByName = Readonly<Record<string, string | number | readonly (string | number)[]>>

/** A language and those that it is a variant of, the most special first: `de-CH`, `de`. */
export const languageVariants = (language: string): string[] => {
  const parts = language.split('-')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
}

const junctions: Readonly<Record<string, 'conjunction' | 'disjunction'>> = { and: 'conjunction', or: 'disjunction' }

/** @param junction `and` or `or` between the last two; without it, commas only */
function listText(list: readonly (string | number)[], junction: string | undefined, language: string): string {
  const type = junctions[junction ?? '']
  return type ? new Intl.ListFormat(language, { type }).format(list.map(String)) : list.join(', ')
}

/**
 * Puts values in the place of `{name}`. A name without a value stays as it is. `{name:or}` and `{name:and}` are lists with that
 * word before the last entry.
 */
export const fillTemplate = (template: string, values: ValuesByName, language = 'en-GB'): string =>
  template.replace(/\{(\w+)(?::(\w+))?\}/g, (all, name: string, junction: string | undefined) => {
    if (!Object.hasOwn(values, name)) return all
    const value = values[name]!
    return typeof value === 'object' ? listText(value, junction, language) : `${value}`
  })

/** The forms of a number, as `key.<form>`, the best first: the one of the language, then `other`, which every text has. */
export const pluralKeys = (language: string, key: string, count: number): string[] => [
  `${key}.${new Intl.PluralRules(language).select(count)}`,
  `${key}.other`,
]

/** The text of this key; of one that counts, the form of the language for the number. Undefined if there is none. */
export function templateOf(
  texts: Readonly<Record<string, string | undefined>>,
  key: string,
  count: unknown,
  language: string,
): string | undefined {
  const textAt = (each: string) => (Object.hasOwn(texts, each) ? texts[each] : undefined)
  const text = textAt(key)
  if (text !== undefined || typeof count !== 'number') return text
  const [best = '', other = ''] = pluralKeys(language, key, count)
  return textAt(best) ?? textAt(other)
}
