import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'

/** Rows beyond those in view, so that scrolling shows no gaps. */
const MARGIN = 8

/**
 * Which rows of a table are drawn: those in view, and the one with the focus, wherever it is, so that the tab stop is never lost.
 * All rows have the same height.
 */
export function useRows(count: number, focused: number) {
  const box = useRef<HTMLDivElement>(null)
  const [height, setHeight] = useState(34)
  const [view, setView] = useState({ from: 0, to: 0 })
  useLayoutEffect(() => {
    const element = box.current
    if (!element) return
    const look = () => {
      const row = element.querySelector('tbody tr[data-row]')?.getBoundingClientRect().height
      const now = row || height
      if (now !== height) setHeight(now)
      const head = element.querySelector('thead')?.clientHeight ?? 0
      const from = Math.min(Math.max(0, count - 1), Math.floor(element.scrollTop / now))
      const to = Math.min(count - 1, Math.ceil((element.scrollTop + element.clientHeight - head) / now))
      setView((before) => (before.from === from && before.to === to ? before : { from, to }))
    }
    look()
    element.addEventListener('scroll', look, { passive: true })
    const observer = new ResizeObserver(look)
    observer.observe(element)
    return () => {
      element.removeEventListener('scroll', look)
      observer.disconnect()
    }
  }, [count, height])
  const first = Math.max(0, view.from - MARGIN)
  const last = Math.min(count - 1, view.to + MARGIN)
  const drawn = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at)
  if (focused >= 0 && focused < count && (focused < first || focused > last)) drawn.push(focused)
  drawn.sort((a, b) => a - b)

  /** Scrolls so that a row is in view. */
  const reveal = (row: number) => {
    const element = box.current
    if (!element) return
    const head = element.querySelector('thead')?.clientHeight ?? 0
    const top = row * height
    if (top < element.scrollTop) element.scrollTop = top
    else if (top + height > element.scrollTop + element.clientHeight - head)
      element.scrollTop = top + height + head - element.clientHeight
  }
  return { box, drawn, height, view, reveal, perScreen: Math.max(1, view.to - view.from - 1) }
}

/** Calls back with the rows in view, when they have changed. */
export function useShown(view: { from: number; to: number }, show: (from: number, to: number) => void): void {
  useEffect(() => show(view.from, view.to), [view.from, view.to])
}
