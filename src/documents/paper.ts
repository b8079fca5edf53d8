/** Lays out pieces over pages that have the same head and foot. Sizes are in points; y counts from the top. */
import { type PDFDocument, type PDFImage, PDFName, type PDFPage } from '@cantoo/pdf-lib'
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
  /** An embedded image; y is its upper edge. */
  image(image: PDFImage, x: number, y: number, width: number, height: number): void
}

/** A part that is never split. `keep`: on the same page as the next piece; `again` is drawn before it at the top of a page. */
export type Piece = {
  height: number
  draw(pen: Pen, y: number): void
  keep?: boolean
  again?: Piece
  /** The text of a bookmark that leads here. */
  bookmark?: string
}

/** A place in a document: the page, and the height above its lower edge. */
export type Bookmark = { title: string; page: PDFPage; top: number }

/** A coordinate as a PDF writes it: it has no exponents. */
const digits = (value: number): string => value.toFixed(3)

/** How far the control points of a quarter of a circle are from its ends, as a part of the radius. */
const BEND = 0.5523

/**
 * Returns the pen of a page, and a function that puts what was drawn since on the page, compressed: the library would keep an object for each
 * operator until the end, which takes several times the memory, and its drawText would name the font again for every line.
 */
function penOn(document: PDFDocument, page: PDFPage, { fonts, regular }: Typeface): { pen: Pen; finish(): void } {
  const names = new Map(fonts.map((font, at) => [font, PDFName.of(`F${at}`)]))
  for (const [font, name] of names) page.node.setFontDictionary(name, font.ref)
  let drawn: string[] = []
  const x = (at: number) => digits(PAGE.left + at)
  const y = (at: number) => digits(PAGE.height - at)
  const ink = (shade: number, operator: 'rg' | 'RG') => `${shade} ${shade} ${shade} ${operator}`
  const stroke = (width: number, shade: number, path: string, operator = 'S') =>
    drawn.push(`q ${width} w ${ink(shade, 'RG')} ${path} ${operator} Q`)
  const pen: Pen = {
    text(text, at, down, size, face = regular, shade = BLACK) {
      if (!text) return
      // Each run begins where the one before it ends.
      const runs = face
        .runs(text)
        .map(({ font, text }) => `${names.get(font)} ${size} Tf ${encodedText(font, text)} Tj`)
      drawn.push(`BT ${ink(shade, 'rg')} 1 0 0 1 ${x(at)} ${y(down)} Tm ${runs.join(' ')} ET`)
    },
    line: (at, down, width, shade = 0.35) => stroke(0.6, shade, `${x(at)} ${y(down)} m ${x(at + width)} ${y(down)} l`),
    box(at, down, width, height, fill) {
      const path = `${x(at)} ${y(down + height)} ${digits(width)} ${digits(height)} re`
      if (fill === undefined) stroke(0.6, 0.35, path)
      else stroke(0.6, 0.35, `${ink(fill, 'rg')} ${path}`, 'B')
    },
    circle(at, down, radius) {
      const point = (right: number, below: number) => `${x(at + right * radius)} ${y(down + below * radius)}`
      const quarters = [
        ...[
          [1, BEND, BEND, 1, 0, 1],
          [-BEND, 1, -1, BEND, -1, 0],
        ],
        ...[
          [-1, -BEND, -BEND, -1, 0, -1],
          [BEND, -1, 1, -BEND, 1, 0],
        ],
      ].map(([a = 0, b = 0, c = 0, d = 0, e = 0, f = 0]) => `${point(a, b)} ${point(c, d)} ${point(e, f)} c`)
      stroke(0.7, 0.25, `${point(1, 0)} m ${quarters.join(' ')} h`)
    },
    image: (image, at, down, width, height) =>
      page.drawImage(image, { x: PAGE.left + at, y: PAGE.height - down - height, width, height }),
  }
  function finish(): void {
    const { context } = document
    page.node.addContentStream(context.register(context.flateStream(drawn.join('\n'))))
    drawn = []
  }
  return { pen, finish }
}

/** What is drawn on every page; `top` and `bottom` are the margins that it needs. */
export type Frame = { top: number; bottom: number; draw(pen: Pen, page: number, pages: number, height: number): void }

/**
 * Draws the pieces on as many pages as they need, then the frame on each page, which shows the number of pages. The pieces are
 * taken one by one, so that a long document needs memory for its finished pages only. Returns the bookmarks of the pieces.
 */
export function flow(document: PDFDocument, typeface: Typeface, pieces: Iterable<Piece>, frame: Frame): Bookmark[] {
  const pages: ReturnType<typeof penOn>[] = []
  const bookmarks: Bookmark[] = []
  const end = PAGE.height - frame.bottom
  const room = end - frame.top
  let y = Number.POSITIVE_INFINITY
  for (const { piece, together } of withGroups(pieces, room)) {
    // A group that is taller than a page starts at the current position.
    if (y + (together <= room ? together : piece.height) > end) {
      pages.at(-1)?.finish()
      pages.push(penOn(document, document.addPage([PAGE.width, PAGE.height]), typeface))
      y = frame.top
      if (piece.again) {
        piece.again.draw(pages.at(-1)!.pen, y)
        y += piece.again.height
      }
    }
    const page = piece.bookmark === undefined ? undefined : document.getPages().at(-1)
    if (page && piece.bookmark !== undefined) bookmarks.push({ title: piece.bookmark, page, top: PAGE.height - y })
    piece.draw(pages.at(-1)!.pen, y)
    y += piece.height
  }
  for (const [at, { pen, finish }] of pages.entries()) {
    frame.draw(pen, at + 1, pages.length, PAGE.height)
    finish()
  }
  return bookmarks
}

/** Each piece with the height of it and all pieces that it keeps with; counting stops above the limit. */
function* withGroups(pieces: Iterable<Piece>, limit: number): Generator<{ piece: Piece; together: number }> {
  const coming = pieces[Symbol.iterator]()
  const ahead: Piece[] = []
  const nth = (at: number): Piece | undefined => {
    if (at === ahead.length) {
      const next = coming.next()
      if (next.done) return undefined
      ahead.push(next.value)
    }
    return ahead[at]
  }
  for (let piece = nth(0); piece; piece = nth(0)) {
    let together = 0
    for (let at = 0, each: Piece | undefined = piece; each; each = nth(++at)) {
      together += each.height
      if (!each.keep || together > limit) break
    }
    yield { piece, together }
    ahead.shift()
  }
}
