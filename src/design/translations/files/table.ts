/** The table for translators (docs/translations.md). */
import type { Db } from '#db/open'
import { languagesIn, translationAt } from '#design/translations/rules'
import type { Trial } from '#design/trials/store'
import type { Cell, Sheet } from '#writers/cell'
import { placeName, stateOf, textsIn, textsOfForms } from './texts'

/** The heading of the column that a translator fills in: it names the language, so that no file of another one is taken. */
export const headerOf = (language: string): string => `translation (${language})`

/** Every text of the forms of a configuration that is translated, with each translation; undefined if none is. */
export function formTranslations(forms: Parameters<typeof textsOfForms>[0]): Sheet | undefined {
  const translated = function* (): Generator<Cell[]> {
    for (const text of textsOfForms(forms)) {
      const { key, place } = text
      for (const language of languagesIn(place.object, { texts: [place.field] })) {
        const translation = translationAt(place, language)
        if (translation !== undefined) yield [language, key, placeName(text), place.field, place.source, translation]
      }
    }
  }
  const rows = [...translated()]
  if (!rows.length) return undefined
  const headers = ['language', 'key', 'place', 'field', 'source', 'translation']
  return { name: 'translations', columns: headers.map((header) => ({ header })), rows }
}

/** Every text of a trial with its translation into a language. @param counter counts the rows */
export function translationSheet(db: Db, trial: Trial, language: string, counter: { rows: number }): Sheet {
  const headers = ['key', 'place', 'field', 'source', headerOf(language), 'state']
  const rows = (function* (): Generator<Cell[]> {
    for (const text of textsIn(db, trial)) {
      const { key, place } = text
      counter.rows += 1
      yield [
        ...[key, placeName(text), place.field, place.source],
        ...[translationAt(place, language) ?? null, stateOf(text, language)],
      ]
    }
  })()
  return { name: `Texts ${language}`, columns: headers.map((header) => ({ header })), rows }
}
