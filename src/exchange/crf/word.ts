/** Runs, paragraphs and cells of a Word document. Sizes of text are half points, all others twentieths of a point. */
import {
  type IParagraphOptions,
  type IRunOptions,
  type ITableCellOptions,
  Paragraph,
  type Table,
  TableCell,
  TextRun,
  WidthType,
} from 'docx'

/** The width between the margins of A4. */
export const WIDTH = 9978
export const INDENT = 480

export type Block = Paragraph | Table

type Style = Pick<IRunOptions, 'bold' | 'size' | 'color'>

/** Characters that are not allowed in XML; tabs are. */
const UNWRITABLE = /(?!\t)\p{Cc}|[\ufffe\uffff]/gu
const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/

/** A run of text in one line. */
export const run = (text: string, style: Style = {}): TextRun =>
  new TextRun({
    text: text.toWellFormed().replace(UNWRITABLE, ''),
    ...style,
    ...(RIGHT_TO_LEFT.test(text) ? { rightToLeft: true } : {}),
  })

/** A paragraph of text with line breaks. */
export function paragraph(text: string, style: Style = {}, options: IParagraphOptions = {}): Paragraph {
  const children = text
    .split(/\r\n|[\n\r\u2028\u2029]/)
    .flatMap((line, at) => [...(at ? [new TextRun({ break: 1 })] : []), run(line, style)])
  return new Paragraph({ ...options, children, ...(RIGHT_TO_LEFT.test(text) ? { bidirectional: true } : {}) })
}

export const cell = (children: Block[], width: number, options: Partial<ITableCellOptions> = {}): TableCell =>
  new TableCell({ ...options, children, width: { size: Math.round(width), type: WidthType.DXA } })
