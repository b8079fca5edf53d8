/** The texts of the service that a trial can replace (docs/messages.md, "Languages"). */

import { at, type Reason, reason } from '#kernel/refusals/reason'
import { isLanguage } from '#kernel/text'
import { catalogues, essentialPlaceholders, placeholdersIn, type TextKey, trialKeys } from '#texts/catalogue'

type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>

const inBraces = (names: readonly string[]) => names.map((name) => `{${name}}`)

/** What is wrong with a text in place of the catalogue's; undefined if nothing is. */
function ownTextProblem(key: string, text: string): Reason | undefined {
  if (!trialKeys.includes(key as TextKey)) return reason('systemTextUnknown')
  if (!text.trim()) return reason('blank')
  if (key.includes('.subject') && /\n/.test(text)) return reason('severalLines')
  const [given, known] = [placeholdersIn(text), placeholdersIn(catalogues.en![key as TextKey])]
  const unknown = given.filter((name) => !known.includes(name))
  if (unknown.length && !known.length) return reason('placeholderWithoutAny', { unknown: inBraces(unknown) })
  if (unknown.length) return reason('placeholderUnknown', { unknown: inBraces(unknown), known: inBraces(known) })
  const missing = known.filter((name) => essentialPlaceholders.includes(name) && !given.includes(name))
  return missing.length ? reason('placeholderMissing', { missing: inBraces(missing) }) : undefined
}

/** Every problem of a trial's own texts, with the language and the key; empty if there are none. */
export const textsProblems = (texts: Texts): Reason[] =>
  Object.entries(texts).flatMap(([language, byKey]) =>
    isLanguage(language)
      ? Object.entries(byKey).flatMap(([key, text]) => {
          const problem = ownTextProblem(key, text)
          return problem ? [at(`${language}.${key}`, problem)] : []
        })
      : [at(language, reason('notLanguage'))],
  )

/** Every text that a trial can replace: its key, placeholders, and text in each language, the trial's own where it has one. */
export const textList = (own: Texts) =>
  trialKeys.map((key) => ({
    key,
    placeholders: placeholdersIn(catalogues.en![key]),
    texts: Object.fromEntries(Object.entries(catalogues).map(([language, texts]) => [language, texts[key]])),
    own: Object.fromEntries(
      Object.entries(own).flatMap(([language, texts]) => (texts[key] === undefined ? [] : [[language, texts[key]]])),
    ),
  }))
