/** A signature that is drawn: what its lines are (pure), and how they come onto a canvas. */

/** A point of a line, with the width of the line there. All are shares of the width of the box. */
export type Point = readonly [x: number, y: number, width: number]
export type Stroke = readonly Point[]

/** The height of the box as a share of its width. */
export const HEIGHT = 0.4
/** The length of all lines from which they count as a signature, as a share of the width of the box. */
const LEAST = 0.08
/** The thinnest and the thickest line. */
const [THIN, THICK] = [0.004, 0.0105]
/** The speed at which a line is thinnest, in widths of the box in a millisecond. */
const FAST = 0.004

const distance = ([ax, ay]: Point, [bx, by]: Point): number => Math.hypot(ax - bx, ay - by)

const lengthOf = (stroke: Stroke): number =>
  stroke.reduce((sum, point, at) => sum + (at ? distance(stroke[at - 1] ?? point, point) : 0), 0)

/** Whether somebody has drawn something, and not only touched the box. */
export const hasDrawing = (strokes: readonly Stroke[]): boolean =>
  strokes.reduce((sum, stroke) => sum + lengthOf(stroke), 0) >= LEAST

type Touch = { x: number; y: number; time: number; pressure?: number | undefined }

/**
 * The next point of a line. A pen says how hard it presses; with a finger or a mouse, quick lines are thin. The width changes little
 * from one point to the next. @param last and its time; undefined at the beginning of a line
 */
export function pointAt({ x, y, time, pressure }: Touch, last?: { point: Point; time: number }): Point {
  const at: Point = [x, y, 0]
  if (!last) return [x, y, pressure === undefined ? (THIN + THICK) / 2 : THIN + (THICK - THIN) * pressure]
  const speed = distance(at, last.point) / Math.max(1, time - last.time)
  const share = pressure ?? 1 - Math.min(1, speed / FAST)
  return [x, y, last.point[2] * 0.6 + (THIN + (THICK - THIN) * share) * 0.4]
}

/** Draws the lines on a canvas of this width in pixels. */
export function drawStrokes(context: CanvasRenderingContext2D, strokes: readonly Stroke[], width: number): void {
  context.lineCap = 'round'
  context.lineJoin = 'round'
  context.strokeStyle = '#10204a'
  context.fillStyle = '#10204a'
  for (const stroke of strokes) drawStroke(context, stroke, width)
}

function drawStroke(context: CanvasRenderingContext2D, stroke: Stroke, width: number): void {
  const [first] = stroke
  if (!first) return
  if (stroke.length === 1) {
    context.beginPath()
    context.arc(first[0] * width, first[1] * width, first[2] * width * 0.7, 0, 2 * Math.PI)
    context.fill()
    return
  }
  // From the middle of each piece to the middle of the next, so that no corner is seen.
  let from = first
  for (const [at, point] of stroke.entries()) {
    const next = stroke[at + 1]
    const to: Point = next ? [(point[0] + next[0]) / 2, (point[1] + next[1]) / 2, point[2]] : point
    context.beginPath()
    context.lineWidth = point[2] * width
    context.moveTo(from[0] * width, from[1] * width)
    context.quadraticCurveTo(point[0] * width, point[1] * width, to[0] * width, to[1] * width)
    context.stroke()
    from = to
  }
}

/** Pixels of the picture that is sent, and the most characters that it may have. */
const [WIDTH, MOST] = [1_200, 270_000]

/** The signature as a PNG in base64, on a clear ground; undefined if the browser cannot draw. */
export function pngOf(strokes: readonly Stroke[], width = WIDTH): string | undefined {
  const canvas = Object.assign(document.createElement('canvas'), { width, height: Math.round(width * HEIGHT) })
  const context = canvas.getContext('2d')
  if (!context) return undefined
  drawStrokes(context, strokes, width)
  const [, text] = canvas.toDataURL('image/png').split(',')
  return text && text.length > MOST && width > 300 ? pngOf(strokes, width / 2) : text
}
