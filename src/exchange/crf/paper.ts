/** Lays out pieces over pages that have the same head and foot. Sizes are in points; y counts from the top. */
import { type PDFDocument, PDFName, PDFOperator, PDFOperatorNames, type PDFPage, rgb } from '@cantoo/pdf-lib'
import { encodedText, type Face, type Typeface } from './typeface'

const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48 }
export const WIDTH = PAGE.width - PAGE.left - PAGE.right

const BLACK = 0.08
export const GREY = 0.42

/** A page to draw on. x counts from the left margin; y is the baseline of text. */
export type Pen = {
  text(text: string, x: number, y: number, size: number, face?: Face, shade?: number): void
  line(x: number, y: number, width: number, shade?: number): void
  box(x: number, y: number, width: number, height: number, fill?: number): void
  circle(x: number, y: number, radius: number): void
}

/** A part that is never split. `keep`: on the same page as the next piece; `again` is drawn before it at the top of a page. */
export type Piece = { height: number; draw(pen: Pen, y: number): void; keep?: boolean; again?: Piece }

/** A coordinate as a PDF writes it: it has no exponents. */
const digits = (value: number): string => value.toFixed(3)

function penOn(page: PDFPage, typeface: Typeface): Pen {
  const names = new Map(typeface.fonts.map((font, at) => [font, PDFName.of(`F${at}`)]))
  for (const [font, name] of names) page.node.setFontDictionary(name, font.ref)
  const x = (at: number) => PAGE.left + at
  const y = (at: number) => PAGE.height - at
  const ink = (shade: number) => rgb(shade, shade, shade)
  return {
    // We write the operators ourselves: the library's drawText would name the font again for every line.
    text(text, at, down, size, face = typeface.regular, shade = BLACK) {
      if (!text) return
      // Each run begins where the one before it ends.
      const runs = face
        .runs(text)
        .map(({ font, text }) => `${names.get(font)} ${size} Tf ${encodedText(font, text)} Tj`)
      const begin = `BT ${shade} ${shade} ${shade} rg 1 0 0 1 ${digits(x(at))} ${digits(y(down))} Tm`
      // All of it as the argument of the last operator: an object for each one would take several times the memory.
      page.pushOperators(PDFOperator.of(PDFOperatorNames.EndText, [[begin, ...runs].join(' ')]))
    },
    line: (at, down, width, shade = 0.35) =>
      page.drawLine({
        start: { x: x(at), y: y(down) },
        end: { x: x(at) + width, y: y(down) },
        thickness: 0.6,
        color: ink(shade),
      }),
    box: (at, down, width, height, fill) =>
      page.drawRectangle({
        x: x(at),
        y: y(down + height),
        width,
        height,
        borderWidth: 0.6,
        borderColor: ink(0.35),
        ...(fill === undefined ? {} : { color: ink(fill) }),
      }),
    circle: (at, down, radius) =>
      page.drawCircle({ x: x(at), y: y(down), size: radius, borderWidth: 0.7, borderColor: ink(0.25) }),
  }
}

/** What is drawn on every page; `top` and `bottom` are the margins that it needs. */
export type Frame = { top: number; bottom: number; draw(pen: Pen, page: number, pages: number, height: number): void }

/** Draws the pieces on as many pages as they need, then the frame on each page, which shows the number of pages. */
export function flow(document: PDFDocument, typeface: Typeface, pieces: readonly Piece[], frame: Frame): void {
  const pens: Pen[] = []
  const end = PAGE.height - frame.bottom
  const room = end - frame.top
  let y = Number.POSITIVE_INFINITY
  for (const [at, piece] of pieces.entries()) {
    const together = heightKept(pieces, at, room)
    // A group that is taller than a page starts at the current position.
    if (y + (together <= room ? together : piece.height) > end) {
      pens.push(penOn(document.addPage([PAGE.width, PAGE.height]), typeface))
      y = frame.top
      if (piece.again) {
        piece.again.draw(pens.at(-1)!, y)
        y += piece.again.height
      }
    }
    piece.draw(pens.at(-1)!, y)
    y += piece.height
  }
  for (const [at, pen] of pens.entries()) frame.draw(pen, at + 1, pens.length, PAGE.height)
}

/** The height of a piece with all pieces that it keeps with; counting stops above the limit. */
function heightKept(pieces: readonly Piece[], from: number, limit: number): number {
  let height = 0
  for (let at = from; at < pieces.length; at++) {
    height += pieces[at]!.height
    if (!pieces[at]!.keep || height > limit) break
  }
  return height
}
