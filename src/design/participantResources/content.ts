/** The content of a resource as it is stored: checked, and the facts about an upload taken from the upload itself. */
import type { Db } from '#db/open'
import { inLanguage, languageProblems } from '#design/translations/rules'
import { sourcesAfter } from '#design/translations/sources'
import { resourceTexts } from '#design/translations/textKinds'
import { languagesOf } from '#design/trials/store'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { at, type Reason, reason } from '#kernel/refusals/reason'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import { usableFile } from '#storage/store'
import { hasVisibleContent, safeHtml } from '#wire/html'
import type { ResourceInput } from './model'
import { contentOf, contentProblems, needsInternet, type ResourceType } from './rules'
import type { ResourceRow } from './store'

type Translations = ResourceRow['translations']

/** The parts of a body with the HTML that may be shown; undefined where nothing was sent. */
export type CheckedContent = { html?: string; translations?: Translations }

/** Refuses (422) content that does not fit the type. Returns the HTML that may be shown. */
export async function checkContent(
  type: ResourceType,
  body: Partial<ResourceInput>,
  isNew: boolean,
): Promise<CheckedContent> {
  const problems = contentProblems(type, body, isNew)
  const html = typeof body.html === 'string' && !problems.html ? await safeHtml(body.html) : undefined
  if (html !== undefined && !hasVisibleContent(html)) problems.html = [reason('noVisibleContent')]
  const { translations } = body
  const safe = translations && (await safeTranslations(type, translations, problems))
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  return { ...(html === undefined ? {} : { html }), ...(translations === undefined ? {} : { translations: safe }) }
}

/** The translations with the HTML that may be shown. Adds what is wrong with them to the problems. */
async function safeTranslations(
  type: ResourceType,
  translations: NonNullable<ResourceInput['translations']>,
  problems: Record<string, Reason[]>,
): Promise<NonNullable<Translations>> {
  const safe: [language: string, texts: Record<string, string | undefined>][] = []
  for (const [language, texts] of Object.entries(translations)) {
    if (texts.html === undefined) {
      safe.push([language, texts])
      continue
    }
    const html = await safeHtml(texts.html)
    const problem = type !== 'text' ? 'onlyTextHasHtml' : hasVisibleContent(html) ? undefined : 'noVisibleContent'
    if (problem) (problems.translations ??= []).push(at(`${language}.html`, reason(problem)))
    safe.push([language, { ...texts, html }])
  }
  return Object.fromEntries(safe)
}

/** Refuses (422) translations into languages that the trial does not have. Returns the sources of the translations. */
export function translationColumns(
  db: Db,
  after: TranslatedRow,
  before?: TranslatedRow & Pick<ResourceRow, 'translatedFrom'>,
) {
  const problems = languageProblems(after, before, resourceTexts, languagesOf(db, after.trial))
  if (problems.length) throw refuse.invalid({ translations: problems })
  const translatedFrom = sourcesAfter(after, resourceTexts, before, before?.translatedFrom ?? undefined)
  return { translations: after.translations ?? null, translatedFrom: translatedFrom ?? null }
}
type TranslatedRow = { trial: Id; translations?: Translations | undefined }

/** The columns of an upload. Refuses (400) a file that is not a finished upload for the trial, and one of the wrong kind. */
function uploadColumns(db: Db, trial: Id, type: ResourceType, storedName: string) {
  const file = usableFile(db, storedName, 'trial', trial)
  if (!file) throw refuse.bad('notUploadOfTrial')
  if (type === 'video' && !file.type.toLowerCase().startsWith('video/'))
    throw refuse.bad('notAVideo', { type: file.type })
  return { storedName, originalName: file.name, mimeType: file.type, size: file.size }
}

/** The columns of the content that a body sets. @param html the HTML that may be shown */
export function contentColumns(db: Db, trial: Id, type: ResourceType, body: Partial<ResourceInput>, html?: string) {
  const field = contentOf[type]
  if (field !== 'storedName') return { [field]: field === 'html' ? html : body[field] }
  const upload = body.storedName == null ? {} : uploadColumns(db, trial, type, body.storedName)
  return body.originalName == null ? upload : { ...upload, originalName: body.originalName }
}

/** The fields that have a value, as those that were sent. */
export const definedFields = <T extends object>(fields: T): Partial<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Partial<T>

/**
 * Returns a function that shows a resource, with links that begin like the request and work for an hour.
 * @param language of its texts; null for the texts themselves with all translations
 */
export function resourceViewer(
  { services, now }: { services: Services; now: Instant },
  language: string | null = null,
) {
  const link = hourLinkMaker(services, now)
  const inOne = (row: ResourceRow) => (language === null ? row : inLanguage(row, resourceTexts, language))
  return (row: ResourceRow) => ({
    ...inOne(row),
    translations: language === null ? (row.translations ?? undefined) : undefined,
    url: row.storedName && link(row.storedName, row.originalName ?? row.storedName),
    needsInternet: needsInternet(row.type, row.linkUrl, services.publicUrl),
  })
}
