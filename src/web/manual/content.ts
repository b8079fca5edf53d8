/** The manual as `/manual` serves it: complete pages, rendered on the server, without scripts. Its content is in English. */

import { asHtml, type Html, markup } from '#web/serving/html'
import type { Content } from '#web/serving/shell'
import type { Translator } from '#web/site/texts'
import { parts } from './pages'
import { pathOf, type RenderedPage, render } from './render'
import { type Hit, search } from './search'

const pages = parts.flatMap(({ pages }) => pages)
const rendered = new Map<string, RenderedPage>()

/** A page, rendered on first use. */
export function renderedPage(name: string): RenderedPage | undefined {
  const page = pages.find((each) => each.name === name)
  if (!page) return undefined
  let result = rendered.get(name)
  if (!result) rendered.set(name, (result = render(page)))
  return result
}

const titleOf = (name: string): string => renderedPage(name)?.title ?? name

/** What is English whatever the language of the page. */
const ENGLISH = markup`lang="en" dir="ltr"`

/**
 * A page of the manual, or the results of a search.
 * @param path such as `/manual/running`
 * @param query what is searched for; null for a page
 */
export function manualContent(
  path: string,
  query: string | null,
  translator: Translator,
): { content: Content; status?: number } {
  const { t } = translator
  if (query !== null && query.trim() !== '') return { content: results(query.trim(), translator) }
  const name = path.replace(/^\/manual\/?/, '').replace(/\/$/, '') || 'README'
  const page = renderedPage(name)
  if (!page) {
    const main = markup`<h1>${t('manual.missing')}</h1><p>${t('manual.missingNote')}</p>`
    return { content: pageContent(translator, { title: t('manual.missing'), main }), status: 404 }
  }
  const at = pages.findIndex((each) => each.name === name)
  const main = markup`<div ${ENGLISH}>${asHtml(page.html)}</div>${neighbours(translator, pages[at - 1]?.name, pages[at + 1]?.name)}`
  return { content: pageContent(translator, { title: page.title, main, name }) }
}

function results(query: string, translator: Translator): Content {
  const { t, count } = translator
  const titles = new Map(pages.map(({ name }) => [name, titleOf(name)]))
  const sections = pages.flatMap(({ name }) => renderedPage(name)?.sections ?? [])
  const hits = search(sections, titles, query)
  const list = hits.length
    ? markup`<ol class="hits" ${ENGLISH}>${hits.map((hit) => itemOf(hit, titles))}</ol>`
    : markup`<p>${t('manual.noHits')}</p>`
  const summary = count('manual.hits', hits.length, { query })
  const main = markup`<h1>${t('manual.results')}</h1><p role="status" dir="auto">${summary}</p>${list}`
  return pageContent(translator, { title: `${t('manual.results')}: ${query}`, main, query })
}

function itemOf({ section, excerpt }: Hit, titles: ReadonlyMap<string, string>): Html {
  const { page, anchor, title, depth } = section
  const heading = depth === 1 ? title : `${titles.get(page)}: ${title}`
  const text = excerpt.map((part) => (part.isMatch ? markup`<mark>${part.text}</mark>` : part.text))
  return markup`<li><a href="${pathOf(page)}#${anchor}">${heading}</a><p>${text}</p></li>`
}

function neighbours({ t }: Translator, before: string | undefined, after: string | undefined): Html {
  const link = (name: string | undefined, rel: 'prev' | 'next', word: string) =>
    name &&
    markup`<a rel="${rel}" href="${pathOf(name)}"><span>${word}</span> <bdi lang="en">${titleOf(name)}</bdi></a>`
  return markup`<nav class="neighbours" aria-label="${t('manual.around')}">${link(before, 'prev', t('manual.previous'))}${link(after, 'next', t('manual.next'))}</nav>`
}

/** The table of contents: all pages by parts, and the sections of the current page. */
function contents(current: string | undefined): Html {
  const item = (name: string) => {
    if (name !== current) return markup`<li><a href="${pathOf(name)}">${titleOf(name)}</a></li>`
    const inner = (renderedPage(name)?.sections ?? []).filter(({ depth }) => depth === 2)
    const list = inner.map(({ anchor, title }) => markup`<li><a href="#${anchor}">${title}</a></li>`)
    const below = list.length > 0 && markup`<ul>${list}</ul>`
    return markup`<li><a href="${pathOf(name)}" aria-current="page">${titleOf(name)}</a>${below}</li>`
  }
  return markup`${parts.map(({ title, pages }) => markup`<h2>${title}</h2><ul>${pages.map(({ name }) => item(name))}</ul>`)}`
}

function pageContent(
  { t }: Translator,
  { title, main, name, query }: { title: string; main: Html; name?: string; query?: string },
): Content {
  return {
    title: `${title} · ${t('manual.suffix')}`,
    styles: ['manual'],
    name: 'manual',
    ...(query === undefined ? {} : { query: { q: query } }),
    header: markup`<a class="small" href="#contents">${t('manual.contents')}</a>
<form role="search" action="/manual" method="get">
<label class="hidden" for="q">${t('manual.search')}</label>
<input type="search" id="q" name="q" value="${query ?? ''}" placeholder="${t('manual.search')}" maxlength="200" required dir="auto">
<button class="button">${t('manual.submit')}</button>
</form>`,
    body: markup`<div class="columns">
<main id="page">
${main}
</main>
<nav id="contents" class="contents" aria-label="${t('manual.contents')}" ${ENGLISH}>
${contents(name)}
</nav>
</div>`,
  }
}
