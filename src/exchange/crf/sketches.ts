/** Turns each drawing of a form into pieces of a PDF page. */

import { lines, space } from '#documents/lines'
import { GREY, type Pen, type Piece, WIDTH } from '#documents/paper'
import type { Face, Typeface } from '#documents/typeface'
import type { Boxes, Drawing, Entry, Mark } from './item'

/** Answers are indented below the question's text, to the right of its number. */
export const INDENT = 26
const ROOM = WIDTH - INDENT
const SIZE = 9
const LINE = 12.5
const BOX = 15

/** The pieces of a drawing: at least one, so that the question's text can keep with it. */
export function drawingPieces(drawing: Drawing, typeface: Typeface): Piece[] {
  const { regular } = typeface
  switch (drawing.kind) {
    case 'lines':
      return writingLines(drawing, regular)
    case 'paragraph': {
      const height = drawing.lines * 18
      return [{ height: height + 6, draw: (pen, y) => pen.box(INDENT, y + 4, ROOM, height) }]
    }
    case 'entries':
      return drawing.entries.flatMap((entry) => entryPieces(entry, regular))
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
function writingLines({ count, unit }: Extract<Drawing, { kind: 'lines' }>, face: Face): Piece[] {
  const label = face.clean(unit)
  const isLong = face.width(label, SIZE) > ROOM / 3
  const width = ROOM - (label && !isLong ? face.width(label, SIZE) + 8 : 0)
  const one: Piece = {
    height: 22,
    draw(pen, y) {
      pen.line(INDENT, y + 18, width)
      if (!isLong) pen.text(label, INDENT + width + 8, y + 17, SIZE)
    },
  }
  const below = isLong ? lines(unit, face, SIZE, { x: INDENT, width: ROOM }) : []
  return [...Array.from({ length: count }, () => one), ...below]
}

/** Boxes side by side with their labels below, and the unit behind them; what does not fit goes on a line below. */
function entryPieces({ label, boxes, unit }: Entry, face: Face): Piece[] {
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
  const isLong = end + 6 + face.width(face.clean(unit), SIZE) > WIDTH
  const pieces = rows.map((row, at): Piece => {
    const named = row.some(({ of }) => of.label)
    return {
      height: BOX + (named ? 17 : 7),
      draw(pen, y) {
        if (at === 0 && label) pen.text(face.clean(label), INDENT, y + 14, SIZE)
        for (const { of, x } of row) drawBoxes(pen, of, x, y + 3, face)
        if (at === rows.length - 1 && !isLong) pen.text(face.clean(unit), end + 6, y + 14, SIZE)
      },
    }
  })
  return [...pieces, ...(isLong ? lines(unit, face, SIZE, { x: INDENT, width: ROOM }) : [])]
}

/** The width of the text before boxes, and that of the boxes with it. */
const beforeWidth = ({ before }: Boxes): number => (before.trim() ? 9 : before ? 14 : 0)
const boxesWidth = (boxes: Boxes): number => beforeWidth(boxes) + boxes.count * BOX + 2

function drawBoxes(pen: Pen, boxes: Boxes, from: number, y: number, face: Face): void {
  const { count, label, before } = boxes
  const x = from + beforeWidth(boxes)
  if (before.trim()) pen.text(before, from + 2.5, y + 11.5, 10)
  for (let n = 0; n < count; n++) pen.box(x + n * BOX, y, BOX, BOX)
  if (label) pen.text(label, x + (count * BOX - face.width(label, 6.5)) / 2, y + BOX + 8, 6.5, undefined, GREY)
}

/** A line with ten parts, labels below its ends, and the unit below them. */
function slider(drawing: Extract<Drawing, { kind: 'slider' }>, face: Face): Piece[] {
  const { unit } = drawing
  const half = ROOM / 2 - 12
  const [from, to] = [face.wrap(drawing.from, 8, half), face.wrap(drawing.to, 8, half)]
  const rows = Math.max(from.length, to.length)
  return [
    {
      height: 24 + rows * 11,
      draw(pen, y) {
        pen.line(INDENT, y + 12, ROOM, 0.1)
        for (let n = 0; n <= 10; n++) {
          const tall = n % 5 === 0 ? 6 : 3.5
          pen.box(INDENT + (ROOM * n) / 10 - 0.2, y + 12 - tall, 0.4, tall * 2)
        }
        for (let n = 0; n < rows; n++) {
          pen.text(from[n] ?? '', INDENT, y + 28 + n * 11, 8)
          pen.text(to[n] ?? '', INDENT + ROOM - face.width(to[n] ?? '', 8), y + 28 + n * 11, 8)
        }
      },
    },
    ...lines(unit, face, 8, { x: INDENT, width: ROOM, shade: GREY }),
  ]
}

function rating({ marks, from, to }: Extract<Drawing, { kind: 'rating' }>, face: Face): Piece[] {
  const step = Math.min(44, ROOM / marks.length)
  const widest = Math.max(...marks.map(({ label }) => face.width(label, 8)))
  const size = Math.min(8, (8 * (step - 3)) / widest)
  return [
    {
      height: 32,
      draw(pen, y) {
        for (const [n, { label }] of marks.entries()) {
          const x = INDENT + step * n + 8
          pen.circle(x, y + 10, 6)
          pen.text(label, x - face.width(label, size) / 2, y + 26, size)
        }
      },
    },
    ...lines(
      [from && `${marks[0]!.label} = ${from}`, to && `${marks.at(-1)!.label} = ${to}`].filter(Boolean).join('     '),
      face,
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
function choice({ multiple, marks }: Extract<Drawing, { kind: 'choice' }>, face: Face): Piece[] {
  const widest = Math.max(0, ...marks.map(({ label }) => face.width(face.clean(label), SIZE)))
  const across = Math.max(1, Math.min(4, marks.length, Math.floor(ROOM / (widest + 34))))
  const width = ROOM / across
  const rows: Mark[][] = []
  for (let at = 0; at < marks.length; at += across) rows.push(marks.slice(at, at + across))
  return rows.map((row) => {
    const texts = row.map(({ label }) => face.wrap(label, SIZE, width - 22))
    return {
      height: Math.max(...texts.map((text) => text.length)) * LINE + 4,
      draw(pen, y) {
        for (const [n, text] of texts.entries()) {
          const x = INDENT + n * width
          if (multiple) pen.box(x, y + 3, 9, 9)
          else pen.circle(x + 4.5, y + 7.5, 4.8)
          for (const [at, line] of text.entries()) pen.text(line, x + 16, y + 11 + at * LINE, SIZE)
        }
      },
    }
  })
}

type GridStyle = { typeface: Typeface; first: number; circles: boolean }

/** A table. Its header is repeated on each page, unless it is as tall as several rows. */
function grid(columns: string[], rows: string[][], { typeface, first, circles }: GridStyle): Piece[] {
  const others = (ROOM * (1 - first)) / Math.max(1, columns.length - 1)
  const widths = columns.map((_, at) => (at === 0 ? ROOM * (columns.length === 1 ? 1 : first) : others))
  const header = rowPieces(columns, widths, { face: typeface.bold, size: 7.5, fill: 0.93, least: 18 })
  const again = header.length === 1 ? header[0] : undefined
  const style = { face: typeface.regular, size: 8.5, least: circles ? 20 : 24, circles }
  const body = rows.flatMap((row) => rowPieces(row, widths, style))
  return [
    ...header.map((piece, at) => (at === header.length - 1 ? { ...piece, keep: true } : piece)),
    ...body.map((piece) => (again ? { ...piece, again } : piece)),
  ]
}

type RowStyle = { face: Face; size: number; least: number; fill?: number; circles?: boolean }

/** The maximum number of lines of a row; a longer row continues in a row below. */
const MOST_LINES = 44

function rowPieces(cells: string[], widths: number[], style: RowStyle): Piece[] {
  const { face, size, circles } = style
  const texts = widths.map((width, at) => (cells[at] ? face.wrap(cells[at], size, width - 8) : []))
  const lines = Math.max(1, ...texts.map((text) => text.length))
  return Array.from({ length: Math.ceil(lines / MOST_LINES) }, (_, part) => {
    const shown = texts.map((text) => text.slice(part * MOST_LINES, (part + 1) * MOST_LINES))
    return rowPiece(shown, widths, { ...style, circles: circles && part === 0 })
  })
}

function rowPiece(texts: string[][], widths: number[], { face, size, least, fill, circles }: RowStyle): Piece {
  const step = size * 1.3
  const height = Math.max(least, ...texts.map((text) => text.length * step + 8))
  return {
    height,
    draw(pen, y) {
      let x = INDENT
      for (const [at, width] of widths.entries()) {
        pen.box(x, y, width, height, fill)
        for (const [n, line] of texts[at]!.entries()) pen.text(line, x + 4, y + 4 + size + n * step, size, face)
        if (circles && at > 0) pen.circle(x + width / 2, y + height / 2, 5)
        x += width
      }
    },
  }
}
