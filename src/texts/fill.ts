/**
 * How a text of any catalogue is found and filled: those that the service sends (`write.ts`), and those of its pages
 * (`web/common/texts.ts`). It runs in browsers too, so it imports nothing.
 */

/** A key without `.one` or `.other`: a text that depends on a number. */
export type CountedOf<K extends string> = K extends `${infer Name}.one` ? Name : never

export type PlaceholderIn<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PlaceholderIn<Rest>
  : never

export type ValuesByName = Readonly<Record<string, string | number>>

/** A language and those that it is a variant of, the most special first: `de-CH`, `de`. */
export const variants = (language: string): string[] => {
  const parts = language.split('-')
  return parts.map((_, index) => parts.slice(0, parts.length - index).join('-'))
}

/** Puts values in the place of `{name}`. A name without a value stays as it is. */
export const filled = (template: string, values: ValuesByName): string =>
  template.replace(/\{(\w+)\}/g, (all, name) => (Object.hasOwn(values, name) ? `${values[name]}` : all))

/** The forms of a number, as `key.<form>`, the best first: the one of the language, then `other`, which every text has. */
export const formsOf = (language: string, key: string, count: number): string[] => [
  `${key}.${new Intl.PluralRules(language).select(count)}`,
  `${key}.other`,
]
