/** Turns each printed field of a form into blocks of a PDF page. */

import type { Font } from '#documents/font'
import { lines, space } from '#documents/lines'
import { type Block, type Canvas, GREY, WIDTH } from '#documents/page'
import type { Typeface } from '#documents/typeface'
import type { Boxes, Entry, Mark, PrintedField } from './item'

/** Answers are indented below the question's text, to the right of its number. */
export const INDENT = 26
const ROOM = WIDTH - INDENT
const SIZE = 9
const LINE = 12.5
const BOX = 15

/** The blocks of a printed field: at least one, so that the question's text can stay on the same page. */
export function fieldBlocks(drawing: PrintedField, typeface: Typeface): Block[] {
  const { regular } = typeface
  switch (drawing.kind) {
    case 'lines':
      return writingLines(drawing, regular)
    case 'paragraph': {
      const height = drawing.lines * 18
      return [{ height: height + 6, draw: (canvas, y) => canvas.box(INDENT, y + 4, ROOM, height) }]
    }
    case 'entries':
      return drawing.entries.flatMap((entry) => entryBlocks(entry, regular))
    case 'slider':
      return slider(drawing, regular)
    case 'rating':
      return rating(drawing, regular)
    case 'choice':
      return choice(drawing, regular)
    case 'grid':
      return grid(
        ['', ...drawing.columns],
        drawing.rows.map(({ label }) => [label]),
        { typeface, first: drawing.columns.length > 6 ? 0.34 : 0.45, circles: true },
      )
    case 'tables':
      return drawing.tables.flatMap(({ columns, rows }) => [
        ...grid(columns, rows, { typeface, first: columns[0] === '' ? 0.5 : 1 / columns.length, circles: false }),
        space(4),
      ])
    case 'note':
      return lines(drawing.text, regular, SIZE, { x: INDENT, width: ROOM, shade: GREY })
  }
}

/** Lines to write on. The unit is behind each of them; a long one is below the last. */
function writingLines({ count, unit }: Extract<PrintedField, { kind: 'lines' }>, font: Font): Block[] {
  const label = font.clean(unit)
  const isLong = font.width(label, SIZE) > ROOM / 3
  const width = ROOM - (label && !isLong ? font.width(label, SIZE) + 8 : 0)
  const one: Block = {
    height: 22,
    draw(canvas, y) {
      canvas.line(INDENT, y + 18, width)
      if (!isLong) canvas.text(label, INDENT + width + 8, y + 17, SIZE)
    },
  }
  const below = isLong ? lines(unit, font, SIZE, { x: INDENT, width: ROOM }) : []
  return [...Array.from({ length: count }, () => one), ...below]
}

/** Boxes side by side with their labels below, and the unit behind them; what does not fit goes on a line below. */
function entryBlocks({ label, boxes, unit }: Entry, font: Font): Block[] {
  const start = INDENT + (label ? 60 : 0)
  const rows: { of: Boxes; x: number }[][] = [[]]
  let end = start
  for (const of of boxes) {
    if (end + boxesWidth(of) > WIDTH) {
      rows.push([])
      end = start
    }
    rows.at(-1)!.push({ of, x: end })
    end += boxesWidth(of)
  }
  const isLong = end + 6 + font.width(font.clean(unit), SIZE) > WIDTH
  const blocks = rows.map((row, at): Block => {
    const hasLabels = row.some(({ of }) => of.label)
    return {
      height: BOX + (hasLabels ? 17 : 7),
      draw(canvas, y) {
        if (at === 0 && label) canvas.text(font.clean(label), INDENT, y + 14, SIZE)
        for (const { of, x } of row) drawBoxes(canvas, of, x, y + 3, font)
        if (at === rows.length - 1 && !isLong) canvas.text(font.clean(unit), end + 6, y + 14, SIZE)
      },
    }
  })
  return [...blocks, ...(isLong ? lines(unit, font, SIZE, { x: INDENT, width: ROOM }) : [])]
}

/** The width of the text before boxes, and that of the boxes with it. */
const beforeWidth = ({ before }: Boxes): number => (before.trim() ? 9 : before ? 14 : 0)
const boxesWidth = (boxes: Boxes): number => beforeWidth(boxes) + boxes.count * BOX + 2

function drawBoxes(canvas: Canvas, boxes: Boxes, from: number, y: number, font: Font): void {
  const { count, label, before } = boxes
  const x = from + beforeWidth(boxes)
  if (before.trim()) canvas.text(before, from + 2.5, y + 11.5, 10)
  for (let n = 0; n < count; n++) canvas.box(x + n * BOX, y, BOX, BOX)
  if (label) canvas.text(label, x + (count * BOX - font.width(label, 6.5)) / 2, y + BOX + 8, 6.5, undefined, GREY)
}

/** A line with ten parts, labels below its ends, and the unit below them. */
function slider(drawing: Extract<PrintedField, { kind: 'slider' }>, font: Font): Block[] {
  const { unit } = drawing
  const half = ROOM / 2 - 12
  const [from, to] = [font.wrap(drawing.from, 8, half), font.wrap(drawing.to, 8, half)]
  const rows = Math.max(from.length, to.length)
  return [
    {
      height: 24 + rows * 11,
      draw(canvas, y) {
        canvas.line(INDENT, y + 12, ROOM, 0.1)
        for (let n = 0; n <= 10; n++) {
          const tall = n % 5 === 0 ? 6 : 3.5
          canvas.box(INDENT + (ROOM * n) / 10 - 0.2, y + 12 - tall, 0.4, tall * 2)
        }
        for (let n = 0; n < rows; n++) {
          canvas.text(from[n] ?? '', INDENT, y + 28 + n * 11, 8)
          canvas.text(to[n] ?? '', INDENT + ROOM - font.width(to[n] ?? '', 8), y + 28 + n * 11, 8)
        }
      },
    },
    ...lines(unit, font, 8, { x: INDENT, width: ROOM, shade: GREY }),
  ]
}

function rating({ marks, from, to }: Extract<PrintedField, { kind: 'rating' }>, font: Font): Block[] {
  const step = Math.min(44, ROOM / marks.length)
  const widest = Math.max(...marks.map(({ label }) => font.width(label, 8)))
  const size = Math.min(8, (8 * (step - 3)) / widest)
  return [
    {
      height: 32,
      draw(canvas, y) {
        for (const [n, { label }] of marks.entries()) {
          const x = INDENT + step * n + 8
          canvas.circle(x, y + 10, 6)
          canvas.text(label, x - font.width(label, size) / 2, y + 26, size)
        }
      },
    },
    ...lines(
      [from && `${marks[0]!.label} = ${from}`, to && `${marks.at(-1)!.label} = ${to}`].filter(Boolean).join('     '),
      font,
      8,
      {
        x: INDENT,
        width: ROOM,
        shade: GREY,
      },
    ),
  ]
}

/** Options in as many columns as the width of their labels allows, row by row. */
function choice({ multiple, marks }: Extract<PrintedField, { kind: 'choice' }>, font: Font): Block[] {
  const widest = Math.max(0, ...marks.map(({ label }) => font.width(font.clean(label), SIZE)))
  const across = Math.max(1, Math.min(4, marks.length, Math.floor(ROOM / (widest + 34))))
  const width = ROOM / across
  const rows: Mark[][] = []
  for (let at = 0; at < marks.length; at += across) rows.push(marks.slice(at, at + across))
  return rows.map((row) => {
    const texts = row.map(({ label }) => font.wrap(label, SIZE, width - 22))
    return {
      height: Math.max(...texts.map((text) => text.length)) * LINE + 4,
      draw(canvas, y) {
        for (const [n, text] of texts.entries()) {
          const x = INDENT + n * width
          if (multiple) canvas.box(x, y + 3, 9, 9)
          else canvas.circle(x + 4.5, y + 7.5, 4.8)
          for (const [at, line] of text.entries()) canvas.text(line, x + 16, y + 11 + at * LINE, SIZE)
        }
      },
    }
  })
}

type GridStyle = { typeface: Typeface; first: number; circles: boolean }

/** A table. Its header is repeated on each page, unless it is as tall as several rows. */
function grid(columns: string[], rows: string[][], { typeface, first, circles }: GridStyle): Block[] {
  const others = (ROOM * (1 - first)) / Math.max(1, columns.length - 1)
  const widths = columns.map((_, at) => (at === 0 ? ROOM * (columns.length === 1 ? 1 : first) : others))
  const header = rowBlocks(columns, widths, { font: typeface.bold, size: 7.5, fill: 0.93, least: 18 })
  const pageHeader = header.length === 1 ? header[0] : undefined
  const style = { font: typeface.regular, size: 8.5, least: circles ? 20 : 24, circles }
  const body = rows.flatMap((row) => rowBlocks(row, widths, style))
  return [
    ...header.map((block, at) => (at === header.length - 1 ? { ...block, keepWithNext: true } : block)),
    ...body.map((block) => (pageHeader ? { ...block, pageHeader } : block)),
  ]
}

type RowStyle = { font: Font; size: number; least: number; fill?: number; circles?: boolean }

/** The maximum number of lines of a row; a longer row continues in a row below. */
const MOST_LINES = 44

function rowBlocks(cells: string[], widths: number[], style: RowStyle): Block[] {
  const { font, size, circles } = style
  const texts = widths.map((width, at) => (cells[at] ? font.wrap(cells[at], size, width - 8) : []))
  const lines = Math.max(1, ...texts.map((text) => text.length))
  return Array.from({ length: Math.ceil(lines / MOST_LINES) }, (_, part) => {
    const shown = texts.map((text) => text.slice(part * MOST_LINES, (part + 1) * MOST_LINES))
    return rowBlock(shown, widths, { ...style, circles: circles && part === 0 })
  })
}

function rowBlock(texts: string[][], widths: number[], { font, size, least, fill, circles }: RowStyle): Block {
  const step = size * 1.3
  const height = Math.max(least, ...texts.map((text) => text.length * step + 8))
  return {
    height,
    draw(canvas, y) {
      let x = INDENT
      for (const [at, width] of widths.entries()) {
        canvas.box(x, y, width, height, fill)
        for (const [n, line] of texts[at]!.entries()) canvas.text(line, x + 4, y + 4 + size + n * step, size, font)
        if (circles && at > 0) canvas.circle(x + width / 2, y + height / 2, 5)
        x += width
      }
    },
  }
}
