import { useEffect, useRef } from 'preact/hooks'

const SIGNS = ['pointerdown', 'keydown', 'input', 'scroll'] as const

/** Calls `act` when the page was not touched for this many milliseconds; never if `pause` is undefined. */
export function useIdle(pause: number | undefined, act: () => void): void {
  const latest = useRef(act)
  latest.current = act
  useEffect(() => {
    if (pause === undefined) return undefined
    let timer: ReturnType<typeof setTimeout>
    const begin = () => {
      clearTimeout(timer)
      timer = setTimeout(() => latest.current(), pause)
    }
    begin()
    for (const each of SIGNS) addEventListener(each, begin, { passive: true })
    return () => {
      clearTimeout(timer)
      for (const each of SIGNS) removeEventListener(each, begin)
    }
  }, [pause])
}
