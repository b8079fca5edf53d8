/** Lines of text and empty space, as blocks of a page. */
import { RIGHT_TO_LEFT } from './bidi'
import type { Font } from './font'
import { type Block, type Canvas, WIDTH } from './page'

/** Empty space. @param keepWithNext whether it stays with the next block */
export const space = (height: number, keepWithNext = false): Block => ({ height, draw() {}, keepWithNext })

/** Lines of text, one block each; `keepWithNext` keeps all of them with the next block. */
export function lines(
  text: string,
  font: Font,
  size: number,
  {
    x = 0,
    width = WIDTH,
    shade,
    keepWithNext,
  }: { x?: number; width?: number; shade?: number; keepWithNext?: boolean } = {},
): Block[] {
  if (!text) return []
  return font.wrap(text, size, width).map((line) => ({
    height: size * 1.38,
    draw(canvas: Canvas, y: number) {
      const at = line.startsWith(RIGHT_TO_LEFT) ? x + width - font.width(line, size) : x
      canvas.text(line, at, y + size * 1.05, size, font, shade)
    },
    keepWithNext,
  }))
}
