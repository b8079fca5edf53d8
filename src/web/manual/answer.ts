/** The manual as `/manual` serves it: complete pages, rendered on the server, without scripts. Loaded on first use. */
import manualHtml from './manual.html' with { type: 'text' }
import { parts } from './pages'
import { escapeHtml, pathOf, type Rendered, render } from './render'
import { type Hit, search } from './search'

const pages = parts.flatMap(({ pages }) => pages)
const rendered = new Map<string, Rendered>()

/** A page, rendered on first use. */
export function renderedPage(name: string): Rendered | undefined {
  const page = pages.find((each) => each.name === name)
  if (!page) return undefined
  let result = rendered.get(name)
  if (!result) rendered.set(name, (result = render(page)))
  return result
}

const titleOf = (name: string) => renderedPage(name)!.title

/**
 * Renders a page of the manual, or its search results.
 * @param path such as `/manual/running`
 * @param query the search query; null for a page
 */
export function manualPage(path: string, query: string | null): { status: 200 | 404; html: string } {
  if (query !== null && query.trim() !== '') return { status: 200, html: resultsPage(query.trim()) }
  const name = path.replace(/^\/manual\/?/, '').replace(/\/$/, '') || 'README'
  const page = renderedPage(name)
  if (!page) {
    const main = '<h1>There is no such page</h1><p>Choose one from the contents, or search for a word.</p>'
    return { status: 404, html: pageHtml({ title: 'No such page', main }) }
  }
  const at = pages.findIndex((each) => each.name === name)
  const main = `${page.html}${neighbours(pages[at - 1]?.name, pages[at + 1]?.name)}`
  return { status: 200, html: pageHtml({ title: page.title, main, name }) }
}

function resultsPage(query: string): string {
  const titles = new Map(pages.map(({ name }) => [name, titleOf(name)]))
  const sections = pages.flatMap(({ name }) => renderedPage(name)!.sections)
  const hits = search(sections, titles, query)
  const list = hits.length
    ? `<ol class="hits">${hits.map((hit) => itemOf(hit, titles)).join('')}</ol>`
    : '<p>No section holds all of these words. Try fewer or shorter ones.</p>'
  const summary = `${hits.length} ${hits.length === 1 ? 'section' : 'sections'} with “${escapeHtml(query)}”`
  return pageHtml({ title: `Search: ${query}`, main: `<h1>Search</h1><p role="status">${summary}</p>${list}`, query })
}

function itemOf({ section, excerpt }: Hit, titles: ReadonlyMap<string, string>): string {
  const { page, anchor, title, depth } = section
  const heading = depth === 1 ? title : `${titles.get(page)}: ${title}`
  const text = excerpt.map((part) => (part.isMatch ? `<mark>${escapeHtml(part.text)}</mark>` : escapeHtml(part.text)))
  return `<li><a href="${pathOf(page)}#${anchor}">${escapeHtml(heading)}</a><p>${text.join('')}</p></li>`
}

function neighbours(before: string | undefined, after: string | undefined): string {
  const link = (name: string | undefined, rel: 'prev' | 'next', word: string) =>
    name ? `<a rel="${rel}" href="${pathOf(name)}"><span>${word}</span> ${escapeHtml(titleOf(name))}</a>` : ''
  return `<nav class="neighbours" aria-label="Before and after">${link(before, 'prev', 'Previous')}${link(after, 'next', 'Next')}</nav>`
}

/** The table of contents: all pages by parts, and the sections of the current page. */
function contents(current: string | undefined): string {
  const item = (name: string) => {
    if (name !== current) return `<li><a href="${pathOf(name)}">${escapeHtml(titleOf(name))}</a></li>`
    const inner = renderedPage(name)!.sections.filter(({ depth }) => depth === 2)
    const list = inner.map(({ anchor, title }) => `<li><a href="#${anchor}">${escapeHtml(title)}</a></li>`).join('')
    const below = list && `<ul>${list}</ul>`
    return `<li><a href="${pathOf(name)}" aria-current="page">${escapeHtml(titleOf(name))}</a>${below}</li>`
  }
  return parts
    .map(({ title, pages }) => `<h2>${title}</h2><ul>${pages.map(({ name }) => item(name)).join('')}</ul>`)
    .join('')
}

function pageHtml(page: { title: string; main: string; name?: string; query?: string }): string {
  const words: Record<string, string> = {
    title: escapeHtml(page.title),
    main: page.main,
    contents: contents(page.name),
    query: escapeHtml(page.query ?? ''),
  }
  return manualHtml.toString().replace(/\{\{(\w+)\}\}/g, (_, word: string) => words[word]!)
}
