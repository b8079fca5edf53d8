/** The frame of a document with a title: it stands on every page, with what the document is about and the number of the page at the foot. */
import { type Frame, GREY, WIDTH } from './paper'
import type { Typeface } from './typeface'

/** Points: the size of the title, from line to line, and the place of its first line. */
const TITLE = { size: 15, lead: 19, first: 50 }

export function titleFrame(title: string, about: string, { regular, bold }: Typeface, as = TITLE): Frame {
  const { size, lead, first } = as
  const heading = bold.wrap(title, size, WIDTH)
  const top = 44 + heading.length * lead
  return {
    top: top + 14,
    bottom: 54,
    draw(pen, page, pages, height) {
      for (const [n, line] of heading.entries()) pen.text(line, 0, first + n * lead, size, bold)
      pen.line(0, top, WIDTH, 0.1)
      pen.text(regular.clean(about), 0, height - 30, 8, regular, GREY)
      const count = `${page} / ${pages}`
      pen.text(count, WIDTH - regular.width(count, 8), height - 30, 8, regular, GREY)
    },
  }
}
