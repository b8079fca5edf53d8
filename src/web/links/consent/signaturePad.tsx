/** The box in which somebody signs, with a finger, a pen or the mouse. */
import { useEffect, useRef } from 'preact/hooks'
import { Button } from '#web/kit/ui/components'
import { drawStrokes, HEIGHT, type Point, pointAt, type Stroke } from './strokes'
import { useTranslator } from './translator'

type Props = { strokes: readonly Stroke[]; fault: string | undefined; onChange: (strokes: readonly Stroke[]) => void }

type Line = { points: Point[]; pointer: number; time: number }

export function SignaturePad({ strokes, fault, onChange }: Props) {
  const { t } = useTranslator()
  const canvas = useRef<HTMLCanvasElement>(null)
  const latestStrokes = useRef(strokes)
  latestStrokes.current = strokes
  const line = useRef<Line | undefined>(undefined)

  /** Draws everything anew, with the pixels that the box has now. */
  function draw(): void {
    const element = canvas.current
    const context = element?.getContext('2d')
    if (!element || !context) return
    const width = Math.round(element.clientWidth * devicePixelRatio)
    const height = Math.round(width * HEIGHT)
    if (element.width !== width) element.width = width
    if (element.height !== height) element.height = height
    context.clearRect(0, 0, width, height)
    drawStrokes(context, [...latestStrokes.current, ...(line.current ? [line.current.points] : [])], width)
  }
  useEffect(draw, [strokes])
  useEffect(() => {
    // Turned phones, and other sizes of text.
    const watch = new ResizeObserver(draw)
    if (canvas.current) watch.observe(canvas.current)
    return () => watch.disconnect()
  }, [])

  function add({ clientX, clientY, timeStamp, pressure, pointerType }: PointerEvent): void {
    const now = line.current
    if (!now || !canvas.current) return
    const { left, top, width } = canvas.current.getBoundingClientRect()
    const own = pointerType === 'pen' ? pressure : undefined
    const touch = { x: (clientX - left) / width, y: (clientY - top) / width, time: timeStamp, pressure: own }
    const last = now.points.at(-1)
    now.points.push(pointAt(touch, last && { point: last, time: now.time }))
    now.time = timeStamp
  }
  function begin(event: PointerEvent): void {
    if (line.current || event.button !== 0) return
    event.preventDefault()
    canvas.current?.setPointerCapture(event.pointerId)
    line.current = { points: [], pointer: event.pointerId, time: event.timeStamp }
    add(event)
    draw()
  }
  function move(event: PointerEvent): void {
    if (line.current?.pointer !== event.pointerId) return
    const all = event.getCoalescedEvents?.() ?? []
    for (const each of all.length ? all : [event]) add(each)
    draw()
  }
  function end(event: PointerEvent): void {
    if (line.current?.pointer !== event.pointerId) return
    const { points } = line.current
    line.current = undefined
    onChange([...latestStrokes.current, points])
  }
  return (
    <div class="field">
      <p class="pad-label" id="pad-label">
        {t('consent.pad')}
      </p>
      <p class="note" id="pad-note">
        {t('consent.padNote')}
      </p>
      <canvas
        ref={canvas}
        class="pad"
        role="img"
        tabIndex={-1}
        aria-label={t(strokes.length ? 'consent.padFull' : 'consent.padEmpty')}
        data-fault={fault ? 'true' : undefined}
        aria-describedby={fault ? 'pad-fault' : 'pad-note'}
        onPointerDown={begin}
        onPointerMove={move}
        onPointerUp={end}
        onPointerCancel={end}
      />
      <div class="actions start">
        <Button isDisabled={!strokes.length} onPress={() => onChange([])}>
          {t('consent.clear')}
        </Button>
      </div>
    </div>
  )
}
