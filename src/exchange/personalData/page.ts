/** The report on a person as a page that any browser shows and prints, in all scripts: the fonts of the PDF lack some. */
import type { Writer } from '#texts/writer'
import { type Content, type Line, linesOf, type ReportMoments } from './lines'

const tags = { heading: 'h2', name: 'h3', text: 'p', small: 'p class="small"' } as const

/** Each line has the direction of its own script. */
const element = ({ as, text }: Line): string =>
  `<${tags[as]} dir="auto">${Bun.escapeHTML(text)}</${tags[as].split(' ')[0]}>\n`

const STYLE =
  'body{font:1rem/1.4 sans-serif;max-width:50rem;margin:2rem auto;padding:0 1rem;overflow-wrap:anywhere}' +
  'p{margin:.2rem 0;white-space:pre-line}.small{font-size:.8rem;color:#444}'

/** The whole page. It loads nothing and runs nothing. */
export function pageOf(content: Content, writer: Writer, moments: ReportMoments): string {
  const title = Bun.escapeHTML(writer.write('report.title', {}))
  const head = `<meta charset="utf-8"><meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`
  const body = linesOf(content, writer, moments).map(element).join('')
  return `<!doctype html>\n<html lang="${writer.language}"><head>${head}<title>${title}</title><style>${STYLE}</style></head>\n<body>\n<h1>${title}</h1>\n${body}</body></html>\n`
}
