/** Lines of text and empty space, as pieces of a page. */
import { RIGHT_TO_LEFT } from './bidi'
import { type Pen, type Piece, WIDTH } from './paper'
import type { Face } from './typeface'

/** Empty space. @param keep whether it stays with the next piece */
export const space = (height: number, keep = false): Piece => ({ height, draw() {}, keep })

/** Lines of text, one piece each; `keep` keeps all of them with the next piece. */
export function lines(
  text: string,
  face: Face,
  size: number,
  { x = 0, width = WIDTH, shade, keep }: { x?: number; width?: number; shade?: number; keep?: boolean } = {},
): Piece[] {
  if (!text) return []
  return face.wrap(text, size, width).map((line) => ({
    height: size * 1.38,
    draw(pen: Pen, y: number) {
      const at = line.startsWith(RIGHT_TO_LEFT) ? x + width - face.width(line, size) : x
      pen.text(line, at, y + size * 1.05, size, face, shade)
    },
    ...(keep ? { keep } : {}),
  }))
}
