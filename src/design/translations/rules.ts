/** The texts of an object in its languages (pure; docs/translations.md). */

import { isObject, type JsonObject } from '#kernel/json'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import { languageVariants } from '#kernel/template'
import type { TextKind } from './textKinds'

/** A text of an object, where it is, and its translations. */
export type TextPlace = {
  /** The steps to the text from the object: fields, ids or places in lists. The last is the field. */
  path: readonly string[]
  /** The names of the objects on the way, for people. */
  names: readonly string[]
  /** The object that has the text. */
  object: JsonObject
  field: string
  /** The place in a list of texts. */
  at?: number
  source: string
}

const asObject = (value: unknown): JsonObject | undefined => (isObject(value) ? value : undefined)

/** The objects in a field: each with its step, which is its id, its key or its place. */
function* objectsIn(value: unknown): Generator<[step: string | undefined, object: JsonObject]> {
  if (!Array.isArray(value)) {
    if (isObject(value)) yield [undefined, value]
    return
  }
  for (const [place, each] of value.entries()) {
    const step = each.id ?? each.key
    yield [typeof step === 'string' ? step : String(place), each]
  }
}

const nameOf = ({ name, title, label, id }: JsonObject): string[] => {
  const found = name ?? title ?? label ?? id
  return typeof found === 'string' && found ? [found] : []
}

/** Every object of a kind and the objects inside it, internal ones too, with the way to each. */
function* objects(
  object: JsonObject,
  kind: TextKind,
  path: readonly string[] = [],
  names: readonly string[] = [],
): Generator<{ object: JsonObject; kind: TextKind; path: readonly string[]; names: readonly string[] }> {
  const here = [...names, ...nameOf(object)]
  yield { object, kind, path, names: here }
  for (const [field, inner] of Object.entries(kind.inside ?? {})) {
    for (const [step, each] of objectsIn(object[field])) {
      yield* objects(each, inner, [...path, field, ...(step === undefined ? [] : [step])], here)
    }
  }
}

/** Every text of an object that is not blank and not internal. */
export function* textsOf(root: object, kind: TextKind): Generator<TextPlace> {
  for (const { object, kind: own, path, names } of objects(root as JsonObject, kind)) {
    if (own.isInternal?.(object)) continue
    for (const field of own.texts) {
      const value = object[field]
      const common = { names, object, field }
      if (typeof value === 'string' && value.trim()) yield { ...common, path: [...path, field], source: value }
      if (!Array.isArray(value)) continue
      for (const [at, source] of value.entries())
        if (typeof source === 'string' && source.trim())
          yield { ...common, path: [...path, field, `${at}`], at, source }
    }
  }
}

const ofLanguage = ({ translations }: JsonObject, language: string): JsonObject | undefined =>
  asObject(asObject(translations)?.[language])

const textAt = (texts: JsonObject | undefined, field: string, at: number | undefined): string | undefined => {
  const value = texts?.[field]
  const text = at === undefined ? value : Array.isArray(value) ? value[at] : undefined
  return typeof text === 'string' && text.trim() ? text : undefined
}

/** The translation of a text into exactly this language; undefined if there is none. */
export const translationAt = ({ object, field, at }: TextPlace, language: string): string | undefined =>
  textAt(ofLanguage(object, language), field, at)

/** Sets or, without a text, removes the translation of a text, in place. */
export function setTranslation({ object, field, at }: TextPlace, language: string, text: string | undefined): void {
  const translations = asObject(object.translations) ?? {}
  const { [field]: before, ...others } = asObject(translations[language]) ?? {}
  const value = at === undefined ? text : listWith(object[field], before, at, text)
  const texts = value === undefined ? others : { ...others, [field]: value }
  const { [language]: _, ...rest } = translations
  object.translations = Object.keys(texts).length ? { ...rest, [language]: texts } : rest
}

/** A list of translations as long as the list of texts, with one text replaced; undefined if none is left. */
function listWith(source: unknown, before: unknown, at: number, text: string | undefined): string[] | undefined {
  const list = (Array.isArray(source) ? source : []).map((_, n) => {
    const earlier = Array.isArray(before) ? before[n] : undefined
    return n === at ? (text ?? '') : typeof earlier === 'string' ? earlier : ''
  })
  return list.some(Boolean) ? list : undefined
}

/** The translation of a field into the language, or into the language that it is a variant of. */
function translateField(object: JsonObject, field: string, languages: readonly string[]): unknown {
  const source = object[field]
  const find = (at?: number) => {
    for (const language of languages) {
      const text = textAt(ofLanguage(object, language), field, at)
      if (text !== undefined) return text
    }
    return undefined
  }
  if (Array.isArray(source)) return source.map((each, at) => (each ? (find(at) ?? each) : each))
  // A blank text has no translation, whatever is left of one.
  return typeof source === 'string' && source ? find() : undefined
}

function inLanguages(object: JsonObject, kind: TextKind, languages: readonly string[]): JsonObject {
  const { translations, ...result } = object
  if (translations) {
    for (const field of kind.texts) {
      const text = translateField(object, field, languages)
      if (text !== undefined) result[kind.shownAs ?? field] = text
    }
  }
  for (const [field, inner] of Object.entries(kind.inside ?? {})) {
    const value = result[field]
    const write = (each: unknown) =>
      isObject(each) && !inner.isInternal?.(each) ? inLanguages(each, inner, languages) : each
    if (Array.isArray(value)) result[field] = value.map(write)
    else if (isObject(value)) result[field] = write(value)
  }
  return result
}

/** The object with its texts in a language; a text that is not translated stays as it is. */
export const inLanguage = <T extends object>(object: T, kind: TextKind, language: string): T =>
  inLanguages(object as JsonObject, kind, languageVariants(language)) as T

/** The languages into which any text of an object is translated. */
export function languagesIn(root: object, kind: TextKind): Set<string> {
  const found = new Set<string>()
  for (const { object } of objects(root as JsonObject, kind))
    for (const language in asObject(object.translations)) found.add(language)
  return found
}

/** The object with its translations into these languages only, as a copy. */
export function keepLanguages<T extends object>(root: T, kind: TextKind, languages: readonly string[]): T {
  const copy = structuredClone(root)
  for (const { object } of objects(copy as JsonObject, kind)) {
    const all = asObject(object.translations)
    if (!all) continue
    const kept = Object.entries(all).filter(([language]) => languages.includes(language))
    if (kept.length) object.translations = Object.fromEntries(kept)
    else delete object.translations
  }
  return copy
}

/** The problems of languages of translations that the trial does not have. Languages that the object had before are accepted. */
export function languageProblems(
  after: object,
  before: object | undefined,
  kind: TextKind,
  [source, ...others]: readonly string[],
): Reason[] {
  const used = languagesIn(after, kind)
  if (!used.size) return []
  const earlier = before ? languagesIn(before, kind) : new Set<string>()
  return [...used].flatMap((language) => {
    if (earlier.has(language)) return []
    if (language === source) return [at(language, reason('firstLanguage'))]
    return others.includes(language) ? [] : [at(language, reason('notALanguageOfTrial'))]
  })
}
