/** The meeting behind the link, as the page knows it. */
import { clockOf } from '#web/kit/language/dates'
import type { Translator } from './texts'

export type Meeting = {
  name: string
  trialName: string
  startAt: string
  person: { kind: 'participant' | 'staff'; name: string }
}

/** The token of the link. */
export const token = location.pathname.split('/').at(-1) ?? ''

/** The functions that write times by the clock of this device. */
export const deviceClock = ({ language }: Translator) =>
  clockOf(language, Intl.DateTimeFormat().resolvedOptions().timeZone)
