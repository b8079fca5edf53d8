/** The API's models of what is not translated yet, and of the files for translators (docs/translations.md). */
import {
  flag,
  language,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

/** Texts on a page. */
export const PAGE = 100

/** The most bytes of a file of translations. */
export const LARGEST = 16 << 20

/** The most rows of a file of translations. */
export const MOST_ROWS = 50_000

export const formats = ['xlsx', 'csv'] as const

const UntranslatedText = shape('UntranslatedText', {
  key: withDescription(
    'Where the text is, for programs, and the key of its row in the file for translators.',
    text(1, 2000),
  ),
  place: withDescription('Where the text is, for people.', text(0, 10_000)),
  field: text(1, 100),
  source: text(1, 1_000_000),
  reason: withDescription(
    'missing: there is no translation. stale: the source text has changed since the translation.',
    oneOf('missing', 'stale'),
  ),
  translation: withDescription('The translation of an earlier source text.', orNull(text(0, 1_000_000))),
})

export const UntranslatedQuery = shape({ language: language(), page: maybe(whole(1, 1_000_000)) })

export const UntranslatedTexts = shape('UntranslatedTexts', {
  texts: list(UntranslatedText),
  total: withDescription('Of all pages.', whole(0)),
  page: whole(1),
  nextPageAvailable: flag(),
})

export const ExportQuery = shape({ language: language(), format: maybe(oneOf(...formats)) })

export const TranslationFile = shape('TranslationFile', {
  url: withDescription('A link to the file, for an hour.', text(1, 5000)),
  rows: withDescription('Texts in the file.', whole(0)),
})

export const TranslationImport = shape('TranslationImport', {
  language: language(),
  fileName: maybe(withDescription('The stored name of an upload for the trial.', text(1, 200))),
  content: maybe(withDescription('Or the file itself: csv as text, xlsx in base64.', text(1, 15 << 20))),
})
export type TranslationImport = ValueOf<typeof TranslationImport>

export const TranslationImportResult = shape('TranslationImportResult', {
  changed: withDescription('Translations that are new or different.', whole(0)),
  unchanged: withDescription('Translations that the trial has already.', whole(0)),
  stale: withDescription('Of both, those whose source text has changed since the file was written.', whole(0)),
})
