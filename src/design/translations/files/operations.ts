import { translationAt } from '#design/translations/rules'
import { requireTranslated } from '#design/trials/languages'
import { trial } from '#design/trials/scope'
import { anywhere, operation } from '#http/operation'
import { performForRequest } from '#jobs/perform'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { instantText } from '#kernel/time'
import { createExportLink } from '#storage/exportLinks'
import { newStoredName } from '#storage/names'
import { usableFile } from '#storage/store'
import { safeHtml } from '#wire/html'
import { fileRows, importRows } from './import'
import {
  ExportQuery,
  LARGEST,
  PAGE,
  TranslationFile,
  TranslationImport,
  TranslationImportResult,
  UntranslatedQuery,
  UntranslatedTexts,
} from './model'
import { readTask, writeTask } from './task'
import { openTexts, placeName } from './texts'

const types = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
} as const

const listUntranslatedTexts = operation({
  id: 'listUntranslatedTexts',
  method: 'GET',
  path: '/trials/:trialId/untranslatedTexts',
  summary: 'List the texts of a study that are not translated yet',
  description: `Also those whose source text has changed since their translation; ${PAGE} a page.`,
  scope: trial,
  needs: anywhere('trial.read'),
  query: UntranslatedQuery,
  returns: UntranslatedTexts,
  run: ({ db, trial, query: { language, page = 1 } }) => {
    requireTranslated(trial, language, 'query')
    const open = openTexts(db, trial, language)
    const texts = open.slice((page - 1) * PAGE, page * PAGE).map(({ text, reason }) => ({
      ...{ key: text.key, place: placeName(text), field: text.place.field, source: text.place.source, reason },
      translation: translationAt(text.place, language) ?? null,
    }))
    return { texts, total: open.length, page, nextPageAvailable: open.length > page * PAGE }
  },
})

const writeTranslations = operation({
  id: 'exportTranslations',
  method: 'GET',
  path: '/trials/:trialId/translations',
  summary: 'Export all texts of a study with their translations into a language, for translators',
  description: 'xlsx, or csv with `format=csv`. Returns a link to the file. POST takes the file back.',
  scope: trial,
  needs: anywhere('trial.read'),
  logs: 'exportTranslations',
  query: ExportQuery,
  returns: TranslationFile,
  prepare: async ({ services, now, caller, trial, query: { language, format = 'xlsx' } }) => {
    requireTranslated(trial, language, 'query')
    const task = { trial: trial._id, language, format, file: newStoredName(`translations.${format}`, now) }
    return { ...task, ...(await performForRequest(services, writeTask, task, caller)) }
  },
  run: (context) => {
    const { file, bytes, rows, format, language } = context.prepared
    context.record({ event: { language, format, rows } })
    const name = `${context.trial.code} texts ${language} ${instantText(context.now).slice(0, 10)}.${format}`
    return { url: createExportLink(context, { storedName: file, name, type: types[format], size: bytes }), rows }
  },
})

const importTranslations = operation({
  id: 'importTranslations',
  method: 'POST',
  path: '/trials/:trialId/translations',
  summary: 'Import the file of a translator',
  description:
    'All rows or none: a refusal (422) names the line of each problem. A blank translation changes nothing. A text whose source has changed since the file was written is taken, and marked as stale.',
  scope: trial,
  needs: 'trial.write',
  changes: 'configuration',
  logs: 'importTranslations',
  body: TranslationImport,
  maxBodyBytes: LARGEST,
  returns: TranslationImportResult,
  prepare: async ({ services, db, caller, trial, body: { language, fileName, content } }) => {
    requireTranslated(trial, language, 'json')
    if ((fileName === undefined) === (content === undefined))
      throw refuse.invalid({ content: [reason('contentOrFileName')] })
    if (fileName !== undefined && !usableFile(db, fileName, 'trial', trial._id)) throw refuse.bad('notUploadOfTrial')
    const task = content === undefined ? { fileName: fileName ?? '' } : { content }
    const { headers, rows } = await performForRequest(services, readTask, task, caller)
    const found = fileRows(headers, rows, language)
    // Of the HTML of resources, only what texts need is kept.
    for (const row of found)
      if (/^resources\/[^/]+\/html$/.test(row.key)) row.translation = await safeHtml(row.translation)
    return found
  },
  run: ({ db, trial, body: { language }, prepared, record }) => {
    requireTranslated(trial, language, 'json')
    const { counts, changes } = importRows(db, trial, language, prepared)
    record({ event: { language, ...counts, changes } })
    return counts
  },
})

export const translationOperations = [listUntranslatedTexts, writeTranslations, importTranslations] as const
