/** Keeps the links of a page fresh that is open for long. */
import { useEffect, useRef } from 'preact/hooks'

const MINUTE = 60_000
/** Links to documents work for an hour. */
const FRESH = 30 * MINUTE

/**
 * Renews every half hour; after a sleep of the device within a minute, or as soon as somebody looks at the page again.
 * @param renew returns whether it did; if not, it is tried again a minute later
 */
export function useRenewal(renew: () => Promise<boolean>): void {
  const latest = useRef(renew)
  latest.current = renew
  useEffect(() => {
    let renewedAt = Date.now()
    let isBusy = false
    const check = async () => {
      if (isBusy || Date.now() - renewedAt < FRESH) return
      isBusy = true
      const askedAt = Date.now()
      if (await latest.current()) renewedAt = askedAt
      isBusy = false
    }
    const timer = setInterval(check, MINUTE)
    document.addEventListener('visibilitychange', check)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', check)
    }
  }, [])
}
