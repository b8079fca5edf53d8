/** The content of a resource as it is stored: checked, and the facts about an upload taken from the upload itself. */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import type { Instant } from '#kernel/time'
import { hourLinkMaker } from '#storage/links'
import { usableFile } from '#storage/store'
import { safeHtml, showsSomething } from '#wire/html'
import type { ResourceInput } from './model'
import { contentOf, contentProblems, needsInternet, type ResourceType } from './rules'
import type { ResourceRow } from './store'

/** Refuses (422) content that does not fit the type. Returns the HTML that may be shown; undefined if none was sent. */
export async function checkContent(
  type: ResourceType,
  body: Partial<ResourceInput>,
  isNew: boolean,
): Promise<string | undefined> {
  const problems = contentProblems(type, body, isNew)
  const html = typeof body.html === 'string' && !problems.html ? await safeHtml(body.html) : undefined
  if (html !== undefined && !showsSomething(html)) problems.html = ['Has nothing that can be shown.']
  if (Object.keys(problems).length) throw refuse.invalid(problems)
  return html
}

/** The columns of an upload. Refuses (400) a file that is not a finished upload for the trial, and one of the wrong kind. */
function ofUpload(db: Db, trial: Id, type: ResourceType, storedName: string) {
  const file = usableFile(db, storedName, 'trial', trial)
  if (!file) throw refuse.bad('The file is not a finished upload for this trial.')
  if (type === 'video' && !file.type.toLowerCase().startsWith('video/'))
    throw refuse.bad(`The file is of the type ${file.type}, which is no video.`)
  return { storedName, originalName: file.name, mimeType: file.type, size: file.size }
}

/** The columns of the content that a body sets. @param html the HTML that may be shown */
export function contentColumns(db: Db, trial: Id, type: ResourceType, body: Partial<ResourceInput>, html?: string) {
  const field = contentOf[type]
  if (field !== 'storedName') return { [field]: field === 'html' ? html : body[field] }
  const upload = body.storedName == null ? {} : ofUpload(db, trial, type, body.storedName)
  return body.originalName == null ? upload : { ...upload, originalName: body.originalName }
}

/** Returns a function that shows a resource, with links that begin like the request and work for an hour. */
export function shownBy({ services, now }: { services: Services; now: Instant }) {
  const link = hourLinkMaker(services, now)
  return (row: ResourceRow) => ({
    ...row,
    url: row.storedName && link(row.storedName, row.originalName ?? row.storedName),
    needsInternet: needsInternet(row.type, row.linkUrl, services.publicUrl),
  })
}
