/** Lays out blocks over pages that have the same head and foot. Sizes are in points; y counts from the top. */
import { type PDFDocument, type PDFImage, PDFName, type PDFPage } from '@cantoo/pdf-lib'
import { encodedText, type Font } from './font'
import type { Typeface } from './typeface'

const PAGE = { width: 595.28, height: 841.89, left: 48, right: 48 }
export const WIDTH = PAGE.width - PAGE.left - PAGE.right

const BLACK = 0.08
export const GREY = 0.42

/** A page to draw on. x counts from the left margin; y is the baseline of text. */
export type Canvas = {
  text(text: string, x: number, y: number, size: number, face?: Font, shade?: number): void
  line(x: number, y: number, width: number, shade?: number): void
  box(x: number, y: number, width: number, height: number, fill?: number): void
  circle(x: number, y: number, radius: number): void
  /** An embedded image; y is its upper edge. */
  image(image: PDFImage, x: number, y: number, width: number, height: number): void
}

/** A part that is never split. `keepWithNext`: on the same page as the next block; `pageHeader` is drawn before it at the top of a page. */
export type Block = {
  height: number
  draw(canvas: Canvas, y: number): void
  keepWithNext?: boolean
  pageHeader?: Block
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
 * Returns the canvas of a page, and a function that writes the collected drawing operators to the page, compressed. The library would keep an object for each
 * operator until the end, which takes several times the memory, and its drawText would name the font again for every line.
 */
function createCanvas(
  document: PDFDocument,
  page: PDFPage,
  { fonts, regular }: Typeface,
): { canvas: Canvas; finish(): void } {
  const names = new Map(fonts.map((font, at) => [font, PDFName.of(`F${at}`)]))
  for (const [font, name] of names) page.node.setFontDictionary(name, font.ref)
  let operators: string[] = []
  const x = (at: number) => digits(PAGE.left + at)
  const y = (at: number) => digits(PAGE.height - at)
  const ink = (shade: number, operator: 'rg' | 'RG') => `${shade} ${shade} ${shade} ${operator}`
  const stroke = (width: number, shade: number, path: string, operator = 'S') =>
    operators.push(`q ${width} w ${ink(shade, 'RG')} ${path} ${operator} Q`)
  const canvas: Canvas = {
    text(text, at, down, size, face = regular, shade = BLACK) {
      if (!text) return
      // Each run begins where the one before it ends.
      const runs = face
        .runs(text)
        .map(({ font, text }) => `${names.get(font)} ${size} Tf ${encodedText(font, text)} Tj`)
      operators.push(`BT ${ink(shade, 'rg')} 1 0 0 1 ${x(at)} ${y(down)} Tm ${runs.join(' ')} ET`)
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
    page.node.addContentStream(context.register(context.flateStream(operators.join('\n'))))
    operators = []
  }
  return { canvas, finish }
}

/** What is drawn on every page; `top` and `bottom` are the margins that it needs. */
export type Frame = {
  top: number
  bottom: number
  draw(canvas: Canvas, page: number, pages: number, height: number): void
}

/**
 * Draws the blocks on as many pages as they need, then the frame on each page, which shows the number of pages. The blocks are
 * taken one by one, so that a long document needs memory for its finished pages only. Returns the bookmarks of the blocks.
 */
export function drawPages(
  document: PDFDocument,
  typeface: Typeface,
  blocks: Iterable<Block>,
  frame: Frame,
): Bookmark[] {
  const pages: ReturnType<typeof createCanvas>[] = []
  const bookmarks: Bookmark[] = []
  const end = PAGE.height - frame.bottom
  const pageHeight = end - frame.top
  let y = Number.POSITIVE_INFINITY
  for (const { block, groupHeight } of blocksWithGroupHeights(blocks, pageHeight)) {
    // A group that is taller than a page starts at the current position.
    if (y + (groupHeight <= pageHeight ? groupHeight : block.height) > end) {
      pages.at(-1)?.finish()
      pages.push(createCanvas(document, document.addPage([PAGE.width, PAGE.height]), typeface))
      y = frame.top
      if (block.pageHeader) {
        block.pageHeader.draw(pages.at(-1)!.canvas, y)
        y += block.pageHeader.height
      }
    }
    const page = block.bookmark === undefined ? undefined : document.getPages().at(-1)
    if (page && block.bookmark !== undefined) bookmarks.push({ title: block.bookmark, page, top: PAGE.height - y })
    block.draw(pages.at(-1)!.canvas, y)
    y += block.height
  }
  for (const [at, { canvas, finish }] of pages.entries()) {
    frame.draw(canvas, at + 1, pages.length, PAGE.height)
    finish()
  }
  return bookmarks
}

/** Each block with the height of the group that must stay on one page with it; counting stops above the limit. */
function* blocksWithGroupHeights(
  blocks: Iterable<Block>,
  limit: number,
): Generator<{ block: Block; groupHeight: number }> {
  const iterator = blocks[Symbol.iterator]()
  const lookahead: Block[] = []
  const nth = (at: number): Block | undefined => {
    if (at === lookahead.length) {
      const next = iterator.next()
      if (next.done) return undefined
      lookahead.push(next.value)
    }
    return lookahead[at]
  }
  for (let block = nth(0); block; block = nth(0)) {
    let groupHeight = 0
    for (let at = 0, each: Block | undefined = block; each; each = nth(++at)) {
      groupHeight += each.height
      if (!each.keepWithNext || groupHeight > limit) break
    }
    yield { block, groupHeight }
    lookahead.shift()
  }
}
