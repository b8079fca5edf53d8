/** A signed consent as plain text: in a PDF whose fonts lack characters, so that every word of it can be read. */
import type { PdfContent, PdfPart } from './content'

const INDENT = '  '

function textOf(part: PdfPart): string {
  switch (part.as) {
    case 'title':
      return `\n${part.text}\n${'='.repeat(60)}`
    case 'heading':
      return `\n${INDENT.repeat(part.depth)}${part.text}`
    case 'text':
      return part.text.replaceAll(/^/gm, INDENT.repeat(part.depth))
    case 'rule':
      return '-'.repeat(60)
    case 'drawing':
      return ''
    default:
      return part.text
  }
}

/** All that the PDF says, line by line (UTF-8). */
export const consentText = ({ title, about, parts }: Pick<PdfContent, 'title' | 'about' | 'parts'>): string =>
  [title, about, '', ...parts.map(textOf), ''].join('\n').toWellFormed()
