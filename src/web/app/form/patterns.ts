/** The matcher of patterns, which is loaded for forms that have some. */
import { useEffect, useState } from 'preact/hooks'
import { isMatcherLoaded, loadMatcher } from '#web/common/engine'
import { hasPattern, type StageDetail } from './stage'

/** Whether the form can be checked as the server does. `lost`: the device does not have the matcher, and there is no connection. */
export function usePatterns(stage: StageDetail | undefined): 'ready' | 'loading' | 'lost' {
  const [isLost, setLost] = useState(false)
  const [, setLoaded] = useState(isMatcherLoaded)
  const isNeeded = stage !== undefined && hasPattern(stage)
  useEffect(() => {
    if (!isNeeded || isMatcherLoaded()) return
    let isOver = false
    loadMatcher().then(
      () => isOver || setLoaded(true),
      () => isOver || setLost(true),
    )
    return () => {
      isOver = true
    }
  }, [isNeeded])
  if (!isNeeded || isMatcherLoaded()) return 'ready'
  return isLost ? 'lost' : 'loading'
}
