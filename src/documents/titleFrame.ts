/** The frame of a document: its head, ruled off, and its foot with what the document is about and the number of the page stand on every page. */
import { type Canvas, type Frame, GREY, WIDTH } from './page'
import type { Typeface } from './typeface'

export const pageOf = (page: number, pages: number): string => `Page ${page} of ${pages}`

/** What a head draws above the rule that ends it, and the room between the rule and the text, in points. */
type Parts = {
  end: number
  room?: number
  head(canvas: Canvas): void
  foot: (string | typeof pageOf)[]
  isRuled?: boolean
}

/** @param foot its texts from left to right. The first is cut where the next begins; @param isRuled whether there is a rule above the foot */
export function frameOf({ end, room = 14, head, foot, isRuled = false }: Parts, { regular }: Typeface): Frame {
  return {
    top: end + room,
    bottom: 54,
    draw(canvas, page, pages, height) {
      head(canvas)
      canvas.line(0, end, WIDTH, 0.1)
      if (isRuled) canvas.line(0, height - 42, WIDTH)
      let until = WIDTH
      for (const [n, part] of [...foot.entries()].reverse()) {
        const text = typeof part === 'string' ? (regular.wrap(part, 8, until)[0] ?? '') : part(page, pages)
        const x = (n * (WIDTH - regular.width(text, 8))) / (foot.length - 1)
        canvas.text(text, x, height - 30, 8, regular, GREY)
        until = x - 12
      }
    },
  }
}

/** Points: the size of the title, from line to line, the place of its first line, and the height without lines. */
const TITLE = { size: 15, lead: 19, first: 50, above: 44, count: (page: number, pages: number) => `${page} / ${pages}` }

/** A title; at the foot what the document is about, and the page. */
export function titleFrame(title: string, about: string, typeface: Typeface, style: Partial<typeof TITLE> = {}): Frame {
  const { size, lead, first, above, count } = { ...TITLE, ...style }
  const heading = typeface.bold.wrap(title, size, WIDTH)
  const head = (canvas: Canvas) => {
    for (const [n, line] of heading.entries()) canvas.text(line, 0, first + n * lead, size, typeface.bold)
  }
  return frameOf({ end: above + heading.length * lead, head, foot: [about, count] }, typeface)
}
