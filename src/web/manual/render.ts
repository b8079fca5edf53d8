/** Renders pages of the manual to HTML, and splits them into sections for the search. */
import { Marked, type Token, type Tokens } from 'marked'
import { escapeHtml } from '#web/serving/html'

/** A page of the manual: its name is its path under `/manual` and its file's name in `docs/`, without `.md`. */
export type Page = { name: string; text: string }

/** A heading with the text below it, up to the next heading. */
export type Section = { page: string; title: string; anchor: string; depth: number; text: string }

export type RenderedPage = { title: string; html: string; sections: readonly Section[] }

/** The anchor of a heading, made as GitHub and similar sites make it, so that a link works there and here. */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\p{M}_ -]/gu, '')
    .replaceAll(' ', '-')

/** The address under `/manual` of a link between files of `docs/`; other links stay as they are. */
function hrefOf(href: string): string {
  const [, name, anchor = ''] = /^([\w-]+)\.md(#.*)?$/.exec(href) ?? []
  if (name === undefined) return /^[\w-]+\.svg$/.test(href) ? `/manual/${href}` : href
  return `${pathOf(name)}${anchor}`
}

export const pathOf = (name: string): string => (name === 'README' ? '/manual' : `/manual/${name}`)

/** The plain text of a token, without markup and link targets. */
function plain(token: Token): string {
  if (token.type === 'html') return ''
  if (token.type === 'table') {
    const { header, rows } = token as Tokens.Table
    return [header, ...rows].map((row) => row.map((cell) => cell.tokens.map(plain).join('')).join(' · ')).join('\n')
  }
  if (token.type === 'list') return (token as Tokens.List).items.map(plain).join('\n')
  if ('tokens' in token && token.tokens?.length)
    return token.tokens.map(plain).join(token.type === 'list_item' ? ' ' : '')
  return 'text' in token ? unescapeHtml(`${token.text}`) : ''
}

const unescapeHtml = (text: string) =>
  text
    .replace(/&(lt|gt|quot|#39);/g, (_, name) => ({ lt: '<', gt: '>', quot: '"', '#39': "'" })[name as string]!)
    .replaceAll('&amp;', '&')

/** Renders a page. If two headings of a page have the same text, they get different anchors. */
export function render({ name, text }: Page): RenderedPage {
  const anchors = new Map<Token, string>()
  const marked = new Marked({
    renderer: {
      heading(token) {
        const anchor = anchors.get(token)!
        const inner = this.parser.parseInline(token.tokens)
        const link = `<a class="anchor" href="#${anchor}" aria-label="Link to “${escapeHtml(plain(token))}”">#</a>`
        return `<h${token.depth} id="${anchor}">${inner} ${link}</h${token.depth}>\n`
      },
      link({ href, tokens }) {
        return `<a href="${escapeHtml(hrefOf(href))}">${this.parser.parseInline(tokens)}</a>`
      },
      image: ({ href, text }) => `<img src="${escapeHtml(hrefOf(href))}" alt="${escapeHtml(text)}">`,
      // A table wider than the screen scrolls by itself, with the keyboard too.
      code: ({ text }) => `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`,
      table({ header, rows }) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          `<tr>${cells.map((cell) => `<${tag}>${this.parser.parseInline(cell.tokens)}</${tag}>`).join('')}</tr>`
        const head = header.some((cell) => cell.text !== '') ? `<thead>${row(header, 'th')}</thead>` : ''
        const body = rows.map((cells) => row(cells, 'td')).join('\n')
        return `<div class="table" tabindex="0"><table>${head}<tbody>\n${body}\n</tbody></table></div>\n`
      },
      html: () => '',
    },
  })
  const tokens = marked.lexer(text)
  const sections: Section[] = []
  const anchorCounts = new Map<string, number>()
  for (const token of tokens) {
    if (token.type === 'heading') {
      const title = plain(token)
      const anchor = anchorOf(title)
      const count = anchorCounts.get(anchor) ?? 0
      anchorCounts.set(anchor, count + 1)
      anchors.set(token, count ? `${anchor}-${count}` : anchor)
      sections.push({ page: name, title, anchor: anchors.get(token)!, depth: token.depth, text: '' })
    } else if (sections.length) sections.at(-1)!.text += `${plain(token)}\n`
  }
  return { title: sections[0]?.title ?? name, html: marked.parser(tokens), sections }
}
