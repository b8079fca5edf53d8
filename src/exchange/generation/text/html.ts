/** Converts the HTML of Word documents to Markdown: headings, nested lists, tables. */
import { toPlainText } from '#documents/texts'

/** It reads only the elements that the Word converter writes: h1 to h6, p, ul, ol, li, table, tr, td, th, strong, br. */
export function markdownOf(html: string): string {
  const lines: string[] = []
  const lists: { isNumbered: boolean; count: number }[] = []
  let cells: string[] | undefined
  let isHeader = false
  let inTable = 0
  let text = ''
  let mark = ''
  const flush = (before = '', after = '') => {
    const line = toPlainText(text)
      .replace(/\n+/g, cells ? ' ' : '\n')
      .trim()
    text = ''
    if (!line || line === '****') return
    if (cells) cells.push(`${cells.pop() ?? ''} ${line}`.trim())
    else lines.push(`${mark || before}${line}${after}`)
    if (mark) mark = ' '.repeat(mark.length)
  }
  for (const [, close, name, body] of html.matchAll(/<(\/?)([a-z]+\d?)\b[^<>]*>|([^<]+)/gi)) {
    if (body !== undefined) {
      text += body
      continue
    }
    const tag = name!.toLowerCase()
    const isEnd = close === '/'
    const level = /^h([1-6])$/.exec(tag)?.[1]
    if (level) isEnd ? flush(`\n${'#'.repeat(Number(level))} `, '\n') : flush()
    else if (tag === 'p') isEnd ? flush('', lists.length ? '' : '\n') : flush()
    else if (tag === 'strong' && !cells && !lists.length) text += '**'
    else if (tag === 'br') text += '\n'
    else if (tag === 'ul' || tag === 'ol') {
      flush()
      if (isEnd) {
        lists.pop()
        if (!lists.length) lines.push('')
      } else lists.push({ isNumbered: tag === 'ol', count: 0 })
      mark = ''
    } else if (tag === 'li') {
      flush()
      const list = lists.at(-1)
      mark = ''
      if (!isEnd && list) mark = `${'   '.repeat(lists.length - 1)}${list.isNumbered ? `${++list.count}.` : '-'} `
    } else if (tag === 'table') {
      flush()
      inTable += isEnd ? -1 : 1
      isHeader = !isEnd
      lines.push('')
    } else if (inTable && tag === 'tr') {
      if (!isEnd) cells = []
      else if (cells) {
        lines.push(`| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`)
        if (isHeader) lines.push(`|${' --- |'.repeat(cells.length)}`)
        isHeader = false
        cells = undefined
      }
    } else if (inTable && (tag === 'td' || tag === 'th')) {
      flush()
      if (!isEnd) cells?.push('')
    }
  }
  flush()
  return lines.join('\n').replace(/\n{3,}/g, '\n\n')
}
