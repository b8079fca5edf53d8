/** The languages of the texts in an answer to a participant: a page marks each text with its own (docs/translations.md, "What participants get"). */
import { isObject } from '#kernel/json'
import { languageVariants } from '#kernel/template'
import { language, list, maybe, orNull, shape, text, type ValueOf, withDescription } from '#wire/schema'
import { textsOf, translationAt } from './rules'
import type { TextKind } from './textKinds'

export const TextLanguages = shape('TextLanguages', {
  language: withDescription(
    'Of the study’s own texts in this answer, but for those in `untranslated`; null if the trial names no language.',
    orNull(language()),
  ),
  source: withDescription('Of the texts that are not translated: the first language of the trial.', orNull(language())),
  untranslated: withDescription(
    'The texts in this answer that are not translated, each once.',
    list(text(0, 1_000_000), 100_000),
  ),
  messages: maybe(withDescription('Of what is written to the participant.', orNull(language()))),
})
export type TextLanguages = ValueOf<typeof TextLanguages>

/** An object with its translations, and its kind. */
export type TextSource = readonly [object: object, kind: TextKind]

/**
 * @param languages of the trial
 * @param shown the language of the answer; null for that of the texts themselves
 * @param sources the objects whose texts may be in the answer; texts that are not in it are not named
 */
export function textLanguages(
  languages: readonly string[],
  shown: string | null,
  answer: unknown,
  sources: () => Iterable<TextSource>,
): TextLanguages {
  const source = languages[0] ?? null
  if (shown === null) return { language: source, source, untranslated: [] }
  const wanted = languageVariants(shown)
  const open = new Set<string>()
  for (const [object, kind] of sources())
    for (const place of textsOf(object, kind))
      if (!wanted.some((each) => translationAt(place, each) !== undefined)) open.add(place.source)
  return { language: shown, source, untranslated: open.size ? [...textsAmong(open, answer)] : [] }
}

/** Those strings anywhere in a value that are one of the texts. A text with `%n` has the number of an occurrence there. */
function textsAmong(texts: ReadonlySet<string>, value: unknown): Set<string> {
  const parts = [...texts].filter((each) => each.includes('%n')).map((each) => each.split('%n').map(RegExp.escape))
  const numbered = parts.length ? new RegExp(`^(?:${parts.map((each) => each.join('\\d+')).join('|')})$`) : undefined
  const found = new Set<string>()
  const collect = (each: unknown): void => {
    if (typeof each === 'string') {
      if (texts.has(each) || numbered?.test(each)) found.add(each)
    } else if (Array.isArray(each)) each.forEach(collect)
    else if (isObject(each)) Object.values(each).forEach(collect)
  }
  collect(value)
  return found
}
