/** The time, for pages that say what can be done now. */
import { useEffect, useState } from 'preact/hooks'

/** How often pages say anew what time it is, in milliseconds. */
const TICK = 20_000

/** The time, which moves on while the page is open. */
export function useNow(): number {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), TICK)
    const look = () => document.visibilityState === 'visible' && setNow(Date.now())
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [])
  return now
}
