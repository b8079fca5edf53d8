/** A casebook as plain text: beside a PDF whose fonts lack characters, so that every word of it can be read. */
import type { Casebook, Line } from './model'

const indented = (text: string, by: string): string => text.replaceAll(/\r\n|[\n\r\u2028\u2029]/g, `\n${by}`)

function textOf({ as, name = '', text }: Line): string {
  switch (as) {
    case 'fact':
      return `${name}: ${indented(text || '–', '  ')}`
    case 'chapter':
      return `\n${text}\n${'='.repeat(60)}`
    case 'name':
      return `\n${text}`
    default:
      return `  ${indented(text, '  ')}`
  }
}

/** All that the casebook says, line by line. */
export const casebookText = ({ title, about, lines }: Casebook): string =>
  [title, about, '', ...lines.map(textOf), ''].join('\n')
