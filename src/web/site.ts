/** Answers requests for pages and their files. It is loaded, and the pack opened, at the first of them. */
import type { HealthReport } from '#http/healthModel'
import type { CopyOrigin } from '#http/services'
import { onceAsync } from '#kernel/once'
import { addedLanguages, isLanguage } from '#web/kit/language/languages'
import { addedFile, workerWithLanguages } from '#web/serving/addedFiles'
import { fileResponse, plainText } from '#web/serving/assets'
import { addCopyNotice } from '#web/serving/copyNotice'
import { account, gallery, health, landing, missing, pagesOfScripts, setup } from '#web/serving/frames'
import { frontEnds } from '#web/serving/frontEnds'
import { loadPack } from '#web/serving/loadPack'
import { languageCookie, languageOf, textResponse } from '#web/serving/negotiate'
import { pageHeaders } from '#web/serving/policy'
import { type Content, page } from '#web/serving/shell'
import { loadTranslator, type Translator } from '#web/site/texts'
import type { AuthoritySource } from '#web/trust/certificateFile'

const pack = onceAsync(loadPack)

const frames = { landing, account, setup, gallery }

type Headers = Readonly<Record<string, string>>

/** The file of this path; undefined if there is none. */
export async function fileAt(path: string, request: Request, common: Headers): Promise<Response | undefined> {
  const added = addedFile(path)
  if (added) return fileResponse(added.pack, added.file, request, common)
  const opened = await pack()
  const file = Object.hasOwn(opened.index.files, path) ? opened.index.files[path] : undefined
  if (!file) return undefined
  if (!isWorker(path) || !Object.keys(addedLanguages()).length) return fileResponse(opened, file, request, common)
  const headers = { ...common, ...pageHeaders, 'Cache-Control': 'no-cache' }
  return textResponse(request, 'text/javascript', workerWithLanguages(await plainText(opened, file)), headers)
}

const isWorker = (path: string): boolean => frontEnds.some(({ offline }) => offline?.worker.path === path)

/** The page with this name, in the language of the request. */
export async function framedPage(
  name: keyof typeof frames | keyof typeof pagesOfScripts,
  request: Request,
  common: Headers,
) {
  if (name in frames) {
    const contentOf = frames[name as keyof typeof frames]
    return localised(request, common, (translator) => ({ content: contentOf(translator) }))
  }
  const { index } = await pack()
  return textResponse(request, 'text/html', pagesOfScripts[name as keyof typeof pagesOfScripts](index), common)
}

/** In place of a page that does not exist (404). */
export const missingPage = (request: Request, common: Headers): Promise<Response> =>
  localised(request, common, (translator) => ({ content: missing(translator), status: 404 }))

/** The health of the server, for a browser. One that is failing answers 503, as it does to programs. */
export const healthPage = (request: Request, common: Headers, status: HealthReport['status']): Promise<Response> =>
  localised(request, common, (translator) => ({
    content: health(translator, status),
    status: status === 'failing' ? 503 : 200,
  }))

/** A page of a restored copy, which says so. */
export const withCopyNotice = async (answer: Response, copy: CopyOrigin): Promise<Response> =>
  addCopyNotice(answer, copy, (await pack()).index.assets['copy.css'] ?? '')

/** A page of the manual, or the results of a search in it. */
export async function manualPage(path: string, request: Request, common: Headers): Promise<Response> {
  const query = new URL(request.url).searchParams.get('q')
  const { manualContent } = await import('#web/manual/content')
  return localised(request, common, (translator) => manualContent(path, query, translator))
}

/** The page with which a device comes to trust this server. */
export async function trustPage(request: Request, common: Headers, trust: AuthoritySource): Promise<Response> {
  const [{ trustContent }, authority] = await Promise.all([import('#web/trust/page'), trust.forPage()])
  return localised(request, common, (translator) => ({ content: trustContent(authority, request, translator) }))
}

/** Writes a page in the language of the request; or remembers a language that its query chooses, and goes back to the page. */
async function localised(
  request: Request,
  common: Headers,
  contentOf: (translator: Translator) => { content: Content; status?: number },
): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url)
  const chosenLanguage = searchParams.get('language')
  if (chosenLanguage !== null && isLanguage(chosenLanguage)) {
    searchParams.delete('language')
    const Location = searchParams.size ? `${pathname}?${searchParams}` : pathname
    const headers = { ...common, 'Cache-Control': 'no-store', Location, 'Set-Cookie': languageCookie(chosenLanguage) }
    return new Response(null, { status: 303, headers })
  }
  const translator = await loadTranslator(languageOf(request))
  const { content, status } = contentOf(translator)
  const html = page((await pack()).index, translator, content)
  const headers = { ...common, 'Content-Language': translator.language, Vary: 'Accept, Accept-Language, Cookie' }
  return textResponse(request, 'text/html', html, headers, status)
}
