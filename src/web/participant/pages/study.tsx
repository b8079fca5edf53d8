/** What every page needs of the person's own account: the study, their zone, and the functions that write moments. */
import { createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Clock, clockIn, deviceZone } from '#web/kit/language/dates'
import { useTranslator } from '#web/participant/texts'
import type { Me } from './apiTypes'

type Study = {
  /** Undefined until it was read for the first time. */
  me: Me | undefined
  /** Reads it again. */
  refresh(): Promise<void>
}

const context = createContext<Study>({ me: undefined, refresh: async () => {} })

export const StudyProvider = context.Provider
export const useStudy = (): Study => useContext(context)

/** Moments in the zone whose days count. */
export function useClock(): Clock {
  const { language } = useTranslator()
  const { me } = useStudy()
  return clockIn(language, me?.zone ?? deviceZone())
}
