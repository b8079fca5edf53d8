/** The API's models of what is not translated yet, and of the files for translators (docs/translations.md). */
import * as t from '#wire/schema'

/** Texts on a page. */
export const PAGE = 100

/** The most bytes of a file of translations. */
export const LARGEST = 16 << 20

/** The most rows of a file of translations. */
export const MOST_ROWS = 50_000

export const formats = ['xlsx', 'csv'] as const

const UntranslatedText = t.shape('UntranslatedText', {
  key: t.withDescription(
    'Where the text is, for programs, and the key of its row in the file for translators.',
    t.text(1, 2000),
  ),
  place: t.withDescription('Where the text is, for people.', t.text(0, 10_000)),
  field: t.text(1, 100),
  source: t.text(1, 1_000_000),
  reason: t.withDescription(
    'missing: there is no translation. stale: the source text has changed since the translation.',
    t.oneOf('missing', 'stale'),
  ),
  translation: t.withDescription('The translation of an earlier source text.', t.orNull(t.text(0, 1_000_000))),
})

export const UntranslatedQuery = t.shape({ language: t.language(), page: t.maybe(t.whole(1, 1_000_000)) })

export const UntranslatedTexts = t.shape('UntranslatedTexts', {
  texts: t.list(UntranslatedText),
  total: t.withDescription('Of all pages.', t.whole(0)),
  page: t.whole(1),
  nextPageAvailable: t.flag(),
})

export const ExportQuery = t.shape({ language: t.language(), format: t.maybe(t.oneOf(...formats)) })

export const TranslationFile = t.shape('TranslationFile', {
  url: t.withDescription('A link to the file, for an hour.', t.text(1, 5000)),
  rows: t.withDescription('Texts in the file.', t.whole(0)),
})

export const TranslationImport = t.shape('TranslationImport', {
  language: t.language(),
  fileName: t.maybe(t.withDescription('The stored name of an upload for the trial.', t.text(1, 200))),
  content: t.maybe(t.withDescription('Or the file itself: csv as text, xlsx in base64.', t.text(1, 15 << 20))),
})
export type TranslationImport = t.ValueOf<typeof TranslationImport>

export const TranslationImportResult = t.shape('TranslationImportResult', {
  changed: t.withDescription('Translations that are new or different.', t.whole(0)),
  unchanged: t.withDescription('Translations that the trial has already.', t.whole(0)),
  stale: t.withDescription('Of both, those whose source text has changed since the file was written.', t.whole(0)),
})
