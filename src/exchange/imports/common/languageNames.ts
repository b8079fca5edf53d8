/** The names of languages in files, and the translations of a text as files have them. */
import { isObject, type JsonObject } from '#kernel/json'
import { once } from '#kernel/once'
import { isLanguage } from '#kernel/text'

/** Languages whose names are known, as forms write them: in English or in the language itself. */
const NAMED =
  'af am ar az be bg bn bs ca cs cy da de el en es et eu fa fi fr ga gl gu ha he hi hr ht hu hy id ig is it ja ka kk km ko ky lo lt lv mg mk ml mn mr ms my nb ne nl no pa pl ps pt ro ru rw si sk sl so sq sr sv sw ta te th ti tl tr uk ur uz vi xh yo zh zu'.split(
    ' ',
  )

const byName = once(() => {
  const names = new Map<string, string>()
  for (const tag of NAMED) {
    for (const locale of [tag, 'en']) {
      const name = new Intl.DisplayNames([locale], { type: 'language' }).of(tag)
      if (name) names.set(name.toLowerCase(), tag)
    }
  }
  return (name: string) => names.get(name)
})

/** The language that a heading names, as in `label::Deutsch (de)`, `label::de` or `label::German`; undefined if unknown. */
export function languageNamed(name: string): string | undefined {
  const [, inBrackets] = /\(([a-z]{2,3}(?:[-_][a-z0-9]{2,8}){0,3})\)\s*$/i.exec(name) ?? []
  const known = inBrackets === undefined ? byName(name.trim().toLowerCase()) : undefined
  if (known) return known
  try {
    const [tag] = Intl.getCanonicalLocales((inBrackets ?? name).trim().replaceAll('_', '-'))
    return tag !== undefined && isLanguage(tag) ? tag : undefined
  } catch {
    return undefined
  }
}

/** The heading of a language, as XLSForm has it: `Deutsch (de)`. */
export const headingOf = (language: string): string =>
  `${new Intl.DisplayNames([language], { type: 'language' }).of(language) ?? language} (${language})`

/** A text of an object with its translations, the blank ones left out. */
export function textsIn(object: object, field: string): { text: string; others?: (readonly [string, string])[] } {
  const { [field]: text, translations } = object as JsonObject
  const others = Object.entries(isObject(translations) ? translations : {}).flatMap(([language, texts]) => {
    const translation = isObject(texts) ? texts[field] : undefined
    return typeof translation === 'string' && translation.trim() ? [[language, translation] as const] : []
  })
  return { text: typeof text === 'string' ? text : '', ...(others.length ? { others } : {}) }
}
