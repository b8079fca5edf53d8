/** Turns each printed field of a form into blocks of a Word document, with the answer if there is one. */
import {
  AlignmentType,
  BorderStyle,
  HeightRule,
  Table,
  TableLayoutType,
  TableRow,
  VerticalAlign,
  WidthType,
} from 'docx'
import type { Boxes, Entry, Mark, PrintedField } from './item'
import { type Block, cell, INDENT, paragraph, WIDTH } from './word'

const ROOM = WIDTH - INDENT
const line = { style: BorderStyle.SINGLE, size: 4, color: '555555' }
const noLine = { style: BorderStyle.NONE, size: 0, color: 'auto' }
const allBorders = { top: line, bottom: line, left: line, right: line }
const noBorders = { top: noLine, bottom: noLine, left: noLine, right: noLine }
const indent = { left: INDENT }
const BOX = 300

/** Marks that the typefaces of every word processor have. */
const circle = (chosen: boolean | undefined) => (chosen ? '●' : '○')
const square = (chosen: boolean) => (chosen ? '☒' : '☐')

const answerBlock = (answer: string, unit = ''): Block =>
  paragraph(unit ? `${answer} ${unit}` : answer, { size: 20 }, { indent, spacing: { before: 40 } })
const lineTo = (text: string) =>
  paragraph(text, {}, { indent, spacing: { before: 160 }, border: { bottom: { ...line, space: 1 } } })

export function fieldBlocks(drawing: PrintedField): Block[] {
  switch (drawing.kind) {
    case 'lines':
      if (drawing.answer !== undefined) return [answerBlock(drawing.answer, drawing.unit)]
      // Adjacent paragraphs with the same border would share one line.
      return Array.from({ length: drawing.count }, () => [
        lineTo(drawing.unit ? `\t${drawing.unit}` : ''),
        paragraph('', { size: 4 }),
      ]).flat()
    case 'paragraph':
      return [framedBlock(drawing.answer ?? '', drawing.answer === undefined ? drawing.lines * 340 : 0)]
    case 'entries':
      return drawing.entries.flatMap(entryBlocks)
    case 'slider':
      return slider(drawing)
    case 'rating':
      return [
        grid(
          ['', ...drawing.marks.map(({ label }) => label)].slice(1),
          [drawing.marks.map(({ isChosen }) => circle(isChosen))],
          {
            widths: drawing.marks.map(() => Math.min(800, Math.floor(ROOM / drawing.marks.length))),
            centred: 0,
          },
        ),
        ...scaleEndBlocks(drawing),
      ]
    case 'choice':
      return drawing.marks.map((mark) => optionBlock(mark, drawing.multiple))
    case 'grid': {
      const first = drawing.columns.length > 6 ? 0.34 : 0.45
      const rows = drawing.rows.map(({ label, chosenColumn }) => [
        label,
        ...drawing.columns.map((_, at) => circle(at === chosenColumn)),
      ])
      return [
        grid(['', ...drawing.columns], rows, { widths: columnWidths(drawing.columns.length + 1, first), centred: 1 }),
      ]
    }
    case 'tables':
      return drawing.tables.flatMap(({ columns, rows }) => [
        grid(columns, rows, { widths: columnWidths(columns.length, columns[0] === '' ? 0.5 : 1 / columns.length) }),
        paragraph('', { size: 8 }),
      ])
    case 'note':
      return drawing.answer === undefined
        ? [paragraph(drawing.text, { size: 18, color: '666666' }, { indent })]
        : [answerBlock(drawing.answer)]
  }
}

/** The widths of columns: the first by its share, the others equal. */
const columnWidths = (count: number, first: number): number[] =>
  Array.from({ length: count }, (_, at) =>
    Math.floor(count === 1 ? ROOM : at === 0 ? ROOM * first : (ROOM * (1 - first)) / (count - 1)),
  )

const table = (widths: number[], rows: TableRow[], indented = INDENT) =>
  new Table({
    layout: TableLayoutType.FIXED,
    width: { size: widths.reduce((sum, width) => sum + width, 0), type: WidthType.DXA },
    indent: { size: indented, type: WidthType.DXA },
    columnWidths: widths,
    rows,
  })

/** A framed text. @param height the minimum height */
const framedBlock = (text: string, height: number): Block =>
  table(
    [ROOM],
    [
      new TableRow({
        ...(height ? { height: { value: height, rule: HeightRule.ATLEAST } } : {}),
        children: [cell([paragraph(text, { size: 20 })], ROOM, { borders: allBorders })],
      }),
    ],
  )

const optionBlock = ({ label, isChosen }: Mark, multiple: boolean): Block =>
  paragraph(
    `${multiple ? square(isChosen) : circle(isChosen)}\t${label}`,
    { bold: isChosen, size: 19 },
    {
      indent: { left: INDENT + 340, hanging: 340 },
      tabStops: [{ type: 'left', position: INDENT + 340 }],
      spacing: { before: 20 },
    },
  )

const scaleEndBlocks = ({ marks, from, to }: Extract<PrintedField, { kind: 'rating' }>): Block[] => {
  const texts = [from && `${marks[0]!.label} = ${from}`, to && `${marks.at(-1)!.label} = ${to}`].filter(Boolean)
  return texts.length ? [paragraph(texts.join('     '), { size: 16, color: '666666' }, { indent })] : []
}

function slider({ from, to, unit, answer }: Extract<PrintedField, { kind: 'slider' }>): Block[] {
  if (answer !== undefined)
    return [answerBlock(answer, unit), paragraph(`${from} … ${to}`, { size: 16, color: '666666' }, { indent })]
  const width = Math.floor(ROOM / 10)
  const ruled = { ...noBorders, bottom: { ...line, size: 8 }, left: line, right: line }
  return [
    table(
      Array.from({ length: 10 }, () => width),
      [
        new TableRow({
          cantSplit: true,
          children: Array.from({ length: 10 }, () =>
            cell([paragraph('', { size: 12 }, { keepNext: true })], width, { borders: ruled }),
          ),
        }),
      ],
    ),
    table(
      [Math.floor(ROOM / 2), Math.floor(ROOM / 2)],
      [
        new TableRow({
          cantSplit: true,
          children: [
            cell([paragraph(from, { size: 16 })], ROOM / 2, { borders: noBorders }),
            cell([paragraph(to, { size: 16 }, { alignment: AlignmentType.RIGHT })], ROOM / 2, { borders: noBorders }),
          ],
        }),
      ],
    ),
  ]
}

function entryBlocks({ label, boxes, unit, answer }: Entry): Block[] {
  if (answer !== undefined) return [answerBlock(label ? `${label}: ${answer}` : answer, unit)]
  const cells = boxes.flatMap((each) => [...(each.before ? [each.before] : []), each])
  const widths = [
    ...(label ? [1100] : []),
    ...cells.flatMap((each) => (typeof each === 'string' ? [220] : Array.from({ length: each.count }, () => BOX))),
    ...(unit ? [1400] : []),
  ]
  const plain = (text: string, width: number) => cell([paragraph(text, { size: 19 })], width, { borders: noBorders })
  const top = [
    ...(label ? [plain(label, 1100)] : []),
    ...cells.flatMap((each) =>
      typeof each === 'string'
        ? [plain(each.trim(), 220)]
        : Array.from({ length: each.count }, () => cell([paragraph('', { size: 19 })], BOX, { borders: allBorders })),
    ),
    ...(unit ? [plain(unit, 1400)] : []),
  ]
  const rows = [new TableRow({ cantSplit: true, children: top })]
  if (boxes.some((each) => each.label)) rows.push(new TableRow({ cantSplit: true, children: labels(cells) }))
  return [paragraph('', { size: 6 }, { keepNext: true }), table(widths, rows)]
}

/** The labels below the groups of boxes. */
const labels = (cells: (string | Boxes)[]) =>
  cells.map((each) =>
    typeof each === 'string'
      ? cell([paragraph('')], 220, { borders: noBorders })
      : cell(
          [paragraph(each.label, { size: 12, color: '666666' }, { alignment: AlignmentType.CENTER })],
          each.count * BOX,
          {
            columnSpan: each.count,
            borders: noBorders,
          },
        ),
  )

type GridStyle = { widths: number[]; centred?: number }

/** A table whose header is repeated on each page; columns from index `centred` on are centred. */
function grid(columns: string[], rows: string[][], { widths, centred = Number.POSITIVE_INFINITY }: GridStyle): Block {
  const row = (texts: string[], isHeader: boolean) =>
    new TableRow({
      tableHeader: isHeader,
      cantSplit: true,
      height: { value: isHeader ? 320 : 440, rule: HeightRule.ATLEAST },
      children: widths.map((width, at) =>
        cell(
          [
            paragraph(
              texts[at] ?? '',
              { size: isHeader ? 16 : 18, bold: isHeader },
              at >= centred ? { alignment: AlignmentType.CENTER } : {},
            ),
          ],
          width,
          {
            borders: allBorders,
            verticalAlign: VerticalAlign.CENTER,
            margins: { left: 80, right: 80, top: 20, bottom: 20 },
            ...(isHeader ? { shading: { fill: 'EDEDED' } } : {}),
          },
        ),
      ),
    })
  return table(widths, [row(columns, true), ...rows.map((texts) => row(texts, false))])
}
