/**
 * Writes the texts of the service in a person's language. The outbox takes only `SendableText`: texts of the catalogue, and those
 * that people of the study wrote. So no other text can be sent.
 */

import { fillTemplate, languageVariants, pluralKeys, type ValuesByName } from '#kernel/template'
import type { Instant } from '#kernel/time'
import { type CountedKey, catalogues, type TextKey, type TextValues } from './catalogue'

declare const sendable: unique symbol
/** A text that may be sent to a person. */
export type SendableText = string & { readonly [sendable]: true }

/** The part of a trial that its texts depend on: its languages, the main one first, and its own texts by language and key. */
export type TrialTexts = {
  languages: readonly string[]
  texts: Readonly<Record<string, Readonly<Record<string, string>>>>
}

/** A text that a person of the study wrote, or a name. It is sent as it is. */
export const authoredText = (text: string): SendableText => text as SendableText

/** Several texts as one, without anything between them. */
export const joinTexts = (...texts: readonly SendableText[]): SendableText => authoredText(texts.join(''))

/** Functions that write in one language; where it lacks a text, in the next best. */
export type Writer = {
  /** The language of the catalogue or of the trial's texts that fits best. */
  language: string
  write<K extends TextKey>(key: K, values: TextValues<K>): SendableText
  /** Writes the text for this number. `{count}` is the number. */
  writeCounted<K extends CountedKey>(
    key: K,
    count: number,
    values: Omit<TextValues<`${K}.one` & TextKey> & TextValues<`${K}.other` & TextKey>, 'count'>,
  ): SendableText
  /** Names in quotation marks, as a list with commas and an “and”. Of more than `most`, it names fewer and counts the others. */
  list(names: readonly string[], most: number): string
  /** A date and time of day in that zone. */
  moment(at: Instant, zone: string): string
}

/**
 * Writes to one person: in their language, else in the trial's, else in English. A trial's own text comes before the
 * catalogue's of the same language.
 */
export function writerFor(language: string | null | undefined, trial?: TrialTexts): Writer {
  const own = (each: string) => trial?.texts[each]
  const wanted = [...(language ? [language] : []), ...(trial?.languages.slice(0, 1) ?? []), 'en'].flatMap(
    languageVariants,
  )
  const languages = wanted.filter((each) => catalogues[each] ?? own(each))
  const template = (...keys: readonly string[]): string => {
    for (const each of languages)
      for (const key of keys) {
        const text = own(each)?.[key] ?? catalogues[each]?.[key as TextKey]
        if (text !== undefined) return text
      }
    return ''
  }
  const fill = (key: string, values: ValuesByName): SendableText => authoredText(fillTemplate(template(key), values))
  const best = languages[0]!
  const locale = best === 'en' ? 'en-GB' : best
  const counted = (key: string, count: number, values: ValuesByName) =>
    authoredText(fillTemplate(template(...pluralKeys(best, key, count)), { ...values, count }))
  return {
    language: best,
    write: fill,
    writeCounted: counted,
    list(names, most) {
      const quoted = [...new Set(names)].map((name): string => fill('quoted', { name }))
      const rest = quoted.length > most ? quoted.splice(most - 1).length : 0
      return new Intl.ListFormat(locale).format(rest ? [...quoted, counted('more', rest, {})] : quoted)
    },
    moment(at, timeZone) {
      // Names of months would bring characters that no SMS has.
      const [month, hourCycle] = [locale === 'en-GB' ? 'short' : '2-digit', 'h23'] as const
      const day = { day: '2-digit', month, year: 'numeric' } as const
      const time = { hour: '2-digit', minute: '2-digit', hourCycle, timeZone } as const
      return new Intl.DateTimeFormat(locale, { ...day, ...time }).format(at / 1000)
    },
  }
}
