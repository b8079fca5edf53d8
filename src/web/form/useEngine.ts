/** What the engine of forms needs besides itself: Temporal in older browsers, and the matcher of patterns for forms that have some. */
import { useEffect, useState } from 'preact/hooks'
import { isMatcherLoaded, loadMatcher } from '#web/form/engine/engine'
import { hasPattern } from './hasPattern'
import type { StageDetail } from './stage'

const hasTemporal = (): boolean => 'Temporal' in globalThis

/**
 * Loads what a form needs before it can be compiled. Not at the top of a module, where WebKit may wait for ever.
 * `lost`: the device does not have it, and there is no connection.
 */
export function useEngine(stage: StageDetail | undefined): 'ready' | 'loading' | 'lost' {
  const [isLost, setLost] = useState(false)
  // Counted, as the form may need more than it did at first.
  const [, setLoads] = useState(0)
  const needsMatcher = stage !== undefined && hasPattern(stage)
  const isReady = hasTemporal() && (!needsMatcher || isMatcherLoaded())
  useEffect(() => {
    if (isReady) return
    let isOver = false
    const temporal = hasTemporal() ? undefined : import('temporal-polyfill/global')
    Promise.all([temporal, needsMatcher ? loadMatcher() : undefined]).then(
      () => isOver || setLoads((before) => before + 1),
      () => isOver || setLost(true),
    )
    return () => {
      isOver = true
    }
  }, [isReady, needsMatcher])
  if (isReady) return 'ready'
  return isLost ? 'lost' : 'loading'
}
