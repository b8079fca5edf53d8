/**
 * Which source text each translation was made of, so that a translation whose source has changed since can be found
 * (docs/translations.md).
 */
import { sha256 } from '#kernel/id'
import { languagesIn, type TextPlace, textsOf, translationAt } from './rules'
import type { TextKind } from './textKinds'

/** Hashes of source texts by `<language> <path>`: what each translation was made of. */
export type TranslationSources = Readonly<Record<string, string>>

/** A path as text: its steps with `/` between them. */
export const pathText = (path: readonly string[]): string =>
  path.map((step) => step.replaceAll('%', '%25').replaceAll('/', '%2F')).join('/')

export const sourceHash = (text: string): string => sha256(text).slice(0, 12)

export const sourceKey = (language: string, { path }: TextPlace): string => `${language} ${pathText(path)}`

/** Whether the source of a translation has changed since the translation. */
export const isStale = (sources: TranslationSources | undefined, language: string, place: TextPlace): boolean => {
  const made = sources?.[sourceKey(language, place)]
  return made !== undefined && made !== sourceHash(place.source)
}

/** A path without places in lists, which change if an item is added before. */
const pathPattern = (language: string, { path }: TextPlace, text: string) =>
  `${language} ${path.map((step) => (/^\d+$/.test(step) ? '*' : step)).join('/')} ${text}`

/**
 * The sources after a change. A translation that is as before was made of the same source as before; a new one of the text
 * that is the source now.
 * @param before the object before the change; undefined for a new one
 * @param known the sources before the change, or those of the object that was copied
 */
export function sourcesAfter(
  after: object,
  kind: TextKind,
  before: object | undefined,
  known: TranslationSources = {},
): TranslationSources | undefined {
  const languages = languagesIn(after, kind)
  if (!languages.size) return undefined
  const [exact, moved] = earlierTranslations(before, kind, known)
  const sources: Record<string, string> = {}
  for (const place of textsOf(after, kind)) {
    for (const language of languages) {
      const text = translationAt(place, language)
      if (text === undefined) continue
      const key = sourceKey(language, place)
      const isKept = !before || exact.get(key) === text
      sources[key] = (isKept ? known[key] : moved.get(pathPattern(language, place, text))) ?? sourceHash(place.source)
    }
  }
  return sources
}

/** The translations before a change by their keys, and their sources by the pattern of their path and their text. */
function earlierTranslations(before: object | undefined, kind: TextKind, known: TranslationSources) {
  const [exact, moved] = [new Map<string, string>(), new Map<string, string>()]
  if (!before) return [exact, moved] as const
  const languages = languagesIn(before, kind)
  for (const place of textsOf(before, kind)) {
    for (const language of languages) {
      const text = translationAt(place, language)
      if (text === undefined) continue
      const key = sourceKey(language, place)
      exact.set(key, text)
      if (known[key] !== undefined) moved.set(pathPattern(language, place, text), known[key])
    }
  }
  return [exact, moved] as const
}
