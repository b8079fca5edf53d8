import { useEffect, useState } from 'preact/hooks'

/** Milliseconds until another code may be asked for. */
const PAUSE = 60_000

/** Seconds until another code may be asked for. @param since when the last one was, by the clock of this device */
export function useCountdown(since: number | undefined): number {
  const left = () => (since === undefined ? 0 : Math.min(PAUSE, Math.max(0, since + PAUSE - Date.now())))
  const [now, setNow] = useState(left)
  useEffect(() => {
    setNow(left())
    if (since === undefined) return undefined
    const timer = setInterval(() => setNow(left()), 1000)
    return () => clearInterval(timer)
  }, [since])
  return Math.ceil(now / 1000)
}
