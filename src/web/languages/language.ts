/** A language that a site adds, as its file holds it: read, compared with English, and written anew to be translated. Pure. */
import { isBuiltIn } from '#web/kit/language/languages'

type Texts = Readonly<Record<string, string>>
export type Catalogues = ReadonlyMap<string, Texts>

/** A text of a file: the English that it was translated from, and the translation; empty until there is one. */
type Entry = {
  english: string
  text: string
  /** The English before, if it has changed since: the translator removes it after having looked at the translation again. */
  before?: string
}

export type LanguageFile = {
  language: { name: string; direction: 'ltr' | 'rtl' }
  texts: Readonly<Record<string, Readonly<Record<string, Entry>>>>
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isEntry = (value: unknown): value is Entry =>
  isRecord(value) && typeof value.english === 'string' && typeof value.text === 'string'

/** Scripts that are written from right to left. */
const RIGHT_TO_LEFT = new Set(['Arab', 'Hebr', 'Syrc', 'Thaa', 'Nkoo', 'Adlm', 'Rohg', 'Mand', 'Samr'])

/** The direction in which a language is usually written. */
export const usualDirection = (code: string): 'ltr' | 'rtl' =>
  RIGHT_TO_LEFT.has(new Intl.Locale(code).maximize().script ?? '') ? 'rtl' : 'ltr'

/** Why a code cannot be that of a file; undefined if it can. */
export function codeProblem(code: string): string | undefined {
  if (isBuiltIn(code)) return `Trialbox has the language "${code}" itself.`
  const isCode = /^[a-z]{2,3}(-[a-z\d]{2,8})*$/.test(code)
  try {
    if (isCode && Intl.getCanonicalLocales(code).length) return undefined
  } catch {}
  return `"${code}" is not the code of a language in lower case, such as nl or pt-br.`
}

/** Reads a file. @throws an error that says in a sentence what is wrong with it */
export function readLanguage(content: string): LanguageFile {
  let value: unknown
  try {
    value = JSON.parse(content)
  } catch (error) {
    throw new Error(`it is not JSON: ${(error as Error).message}`)
  }
  if (!isRecord(value) || !isRecord(value.language) || !isRecord(value.texts))
    throw new Error('it needs "language" and "texts", each an object')
  const { name, direction } = value.language
  if (typeof name !== 'string' || !name.trim() || name.length > 60)
    throw new Error('"language" needs a "name" of at most 60 characters, as its speakers write it')
  if (direction !== 'ltr' && direction !== 'rtl') throw new Error('"language" needs a "direction": "ltr" or "rtl"')
  const wrong = Object.entries(value.texts).flatMap(([catalogue, texts]) => {
    if (!isRecord(texts)) return [`"${catalogue}" is not an object`]
    const key = Object.keys(texts).find((each) => !isEntry(texts[each]))
    return key === undefined ? [] : [`"${key}" of "${catalogue}" needs "english" and "text", both texts`]
  })
  if (wrong.length) throw new Error(wrong[0])
  return value as LanguageFile
}

const placeholders = (text: string): Set<string> =>
  new Set([...text.matchAll(/\{(\w+)(?::\w+)?\}/g)].map(([, name = '']) => name))

const FORM = /\.(zero|one|two|few|many|other)$/

/** What is wrong with the placeholders of a text; undefined if nothing is. A form of a number may say the number in words. */
function placeholderProblem(key: string, text: string, english: string): string | undefined {
  const [ours, theirs] = [placeholders(text), placeholders(english)]
  if (FORM.test(key) && !key.endsWith('.other')) theirs.delete('count')
  const unknown = [...ours].filter((name) => !placeholders(english).has(name))
  const lost = [...theirs].filter((name) => !ours.has(name))
  const named = (names: string[]) => names.map((name) => `{${name}}`).join(', ')
  if (unknown.length) return `has ${named(unknown)}, which the English text does not have`
  return lost.length ? `lacks ${named(lost)}` : undefined
}

/** The keys of a catalogue in a language, each with its English text: one that counts has each form that the language needs. */
export function keysFor(code: string, texts: Texts): [key: string, english: string][] {
  const forms = new Intl.PluralRules(code).resolvedOptions().pluralCategories
  return Object.entries(texts).flatMap(([key, english]): [string, string][] => {
    if (!key.endsWith('.other')) return key.endsWith('.one') ? [] : [[key, english]]
    const name = key.slice(0, -'.other'.length)
    return forms.map((form) => [`${name}.${form}`, texts[`${name}.${form}`] ?? english])
  })
}

export type Comparison = {
  /** What pages show, by catalogue and key: what is translated, with the placeholders of the English text. */
  texts: Record<string, Record<string, string>>
  count: number
  /** The keys by what is to be done, each as `<catalogue> <key>`. Those of `wrong` say why. */
  missing: string[]
  stale: string[]
  unknown: string[]
  wrong: string[]
}

/** Compares a file with the English texts of this version. */
export function compare(code: string, file: LanguageFile, english: Catalogues): Comparison {
  const found: Comparison = { texts: {}, count: 0, missing: [], stale: [], unknown: [], wrong: [] }
  for (const [catalogue, texts] of english) {
    const entries = file.texts[catalogue] ?? {}
    const keys = keysFor(code, texts)
    const usable: Record<string, string> = {}
    for (const [key, source] of keys) {
      found.count++
      const place = `${catalogue} ${key}`
      const entry = Object.hasOwn(entries, key) ? entries[key] : undefined
      if (!entry?.text.trim()) {
        found.missing.push(place)
        continue
      }
      const problem = placeholderProblem(key, entry.text, source)
      if (problem !== undefined) found.wrong.push(`${place}: ${problem}`)
      else usable[key] = entry.text
      if (entry.english !== source || entry.before !== undefined) found.stale.push(place)
    }
    const known = new Set(keys.map(([key]) => key))
    found.unknown.push(...Object.keys(entries).flatMap((key) => (known.has(key) ? [] : [`${catalogue} ${key}`])))
    found.texts[catalogue] = usable
  }
  found.unknown.push(...Object.keys(file.texts).filter((catalogue) => !english.has(catalogue)))
  return found
}

/** The file with the texts of this version: what is translated stays, with the English before where that has changed. */
export function template(code: string, file: LanguageFile | undefined, english: Catalogues): LanguageFile {
  const name = new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code
  const texts = [...english].map(([catalogue, all]) => {
    const translated = file?.texts[catalogue] ?? {}
    const entries = keysFor(code, all).map(([key, source]): [string, Entry] => {
      const entry = Object.hasOwn(translated, key) ? translated[key] : undefined
      if (!entry?.text) return [key, { english: source, text: '' }]
      const before = entry.before ?? entry.english
      return [key, { english: source, text: entry.text, ...(before === source ? {} : { before }) }]
    })
    return [catalogue, Object.fromEntries(entries)] as const
  })
  return {
    language: file?.language ?? { name, direction: usualDirection(code) },
    texts: Object.fromEntries(texts),
  }
}
