/** A case report form for a word processor: blank, or with the answers of a response. */
import {
  AlignmentType,
  BorderStyle,
  Document,
  Footer,
  Header,
  Packer,
  PageNumber,
  Paragraph,
  Table,
  TableLayoutType,
  TableRow,
  TextRun,
  WidthType,
} from 'docx'
import type { Crf, Item, Question } from './item'
import { type Block, cell, INDENT, paragraph, run, WIDTH } from './word'
import { fieldBlocks } from './wordFields'

/** @returns the file */
export async function docxOf(crf: Crf): Promise<Uint8Array> {
  const document = new Document({
    title: safe(`${crf.trial}: ${crf.name}`),
    subject: 'Case report form',
    creator: 'Trialbox',
    lastModifiedBy: 'Trialbox',
    description: '',
    styles: { default: { document: { run: { font: 'Noto Sans', size: 19 } } } },
    sections: [
      {
        properties: { page: { size: { width: 11906, height: 16838 }, margin: MARGIN } },
        headers: { default: new Header({ children: head(crf) }) },
        footers: { default: new Footer({ children: [foot(crf)] }) },
        children: [...opening(crf), ...crf.items.flatMap(itemBlocks), ...closing(crf)],
      },
    ],
  })
  return Packer.toBuffer(document)
}

const MARGIN = { top: 1000, bottom: 900, left: 964, right: 964, header: 560, footer: 480 }
const GREY = '666666'
/** The width of the trial's name in the first line of the head. */
const LEFT = Math.round(WIDTH * 0.65)

const safe = (text: string) => text.toWellFormed().replace(/\p{Cc}/gu, ' ')

const line = { style: BorderStyle.SINGLE, size: 4, color: '444444' }
const noLine = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const noBorders = {
  top: noLine,
  bottom: noLine,
  left: noLine,
  right: noLine,
  insideHorizontal: noLine,
  insideVertical: noLine,
}

function head(crf: Crf): Block[] {
  const protocol = crf.protocol ? `Protocol ${crf.protocol}` : ''
  const parts = [0.3, 0.3, 0.15, 0.25].map((part) => Math.round(part * WIDTH))
  return [
    new Table({
      layout: TableLayoutType.FIXED,
      width: { size: WIDTH, type: WidthType.DXA },
      columnWidths: [LEFT, WIDTH - LEFT],
      borders: noBorders,
      rows: [
        new TableRow({
          children: [
            cell([paragraph(crf.trial, { bold: true, size: 17, color: '444444' })], LEFT),
            cell(
              [paragraph(protocol, { bold: true, size: 17, color: '444444' }, { alignment: AlignmentType.RIGHT })],
              WIDTH - LEFT,
            ),
          ],
        }),
      ],
    }),
    paragraph(crf.name, { bold: true, size: 26 }, { spacing: { before: 40, after: 80 } }),
    new Table({
      layout: TableLayoutType.FIXED,
      width: { size: WIDTH, type: WidthType.DXA },
      columnWidths: parts,
      borders: { ...noBorders, bottom: { ...line, size: 8 } },
      rows: [
        new TableRow({
          children: crf.head.map(({ label, value }, at) =>
            cell(
              [
                paragraph(
                  `${label}: ${value || '_'.repeat(at === 2 ? 6 : 16)}`,
                  { size: 17 },
                  { spacing: { after: 60 } },
                ),
              ],
              parts[at]!,
            ),
          ),
        }),
      ],
    }),
    paragraph('', { size: 8 }),
  ]
}

const foot = (crf: Crf): Paragraph =>
  new Paragraph({
    tabStops: [
      { type: 'center', position: WIDTH / 2 },
      { type: 'right', position: WIDTH },
    ],
    border: { top: { ...line, space: 4 } },
    children: [
      run(`${crf.version}\t`, { size: 16, color: GREY }),
      new TextRun({ children: ['Page ', PageNumber.CURRENT, ' of ', PageNumber.TOTAL_PAGES], size: 16, color: GREY }),
      run(`\t${crf.printed}`, { size: 16, color: GREY }),
    ],
  })

function opening({ description, instructions, items }: Crf): Block[] {
  const required = items.some((item) => item.kind === 'question' && item.isRequired) ? '* must be answered.' : ''
  const notes = [...instructions, required].filter(Boolean).join(' ')
  return [
    ...(description ? [paragraph(description, {}, { spacing: { after: 80 } })] : []),
    ...(notes ? [paragraph(notes, { size: 17, color: GREY }, { spacing: { after: 120 } })] : []),
  ]
}

function itemBlocks(item: Item): Block[] {
  if (item.kind === 'question') return questionBlocks(item)
  return [
    paragraph(
      item.text,
      { bold: true, size: 25, color: '111111' },
      {
        keepNext: true,
        heading: 'Heading2',
        spacing: { before: 240, after: 80 },
        ...(item.isDivider ? { border: { top: { ...line, space: 6 } } } : {}),
      },
    ),
    ...(item.help ? [paragraph(item.help, { size: 18, color: GREY }, { keepNext: true })] : []),
  ]
}

function questionBlocks({ number, text, isRequired, condition, help, hint, field }: Question): Block[] {
  const indent = { left: INDENT }
  const small = (text: string, style: Parameters<typeof paragraph>[1]) =>
    text ? [paragraph(text, { size: 17, ...style }, { keepNext: true, indent })] : []
  return [
    paragraph(
      `${number}.\t${text}${isRequired ? ' *' : ''}`,
      { bold: true, size: 20 },
      {
        keepNext: true,
        indent: { left: INDENT, hanging: INDENT },
        tabStops: [{ type: 'left', position: INDENT }],
        spacing: { before: 180, after: 20 },
      },
    ),
    ...small(condition, { bold: true, color: '333333' }),
    ...small(help, { color: '444444' }),
    ...small(hint, { size: 16, color: GREY }),
    ...fieldBlocks(field),
  ]
}

function closing({ signatures }: Crf): Block[] {
  const width = Math.floor(WIDTH / signatures.length)
  return [
    paragraph('', {}, { spacing: { before: 500 } }),
    new Table({
      layout: TableLayoutType.FIXED,
      width: { size: WIDTH, type: WidthType.DXA },
      columnWidths: signatures.map(() => width),
      borders: { ...noBorders, top: line },
      rows: [
        new TableRow({
          cantSplit: true,
          children: signatures.map((label) => cell([paragraph(label, { size: 15, color: GREY })], width)),
        }),
      ],
    }),
    paragraph('', { size: 4 }), // a document must not end with a table
  ]
}
