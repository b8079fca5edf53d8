/** The texts in calendars. */
import type { EntryType } from './model'

const words: Record<EntryType, string> = {
  meeting: 'meetings',
  event: 'events',
  task: 'tasks',
  window: 'windows',
  visit: 'visits',
}

export const calendarTexts = {
  /** In the calendar of a participant. @param moment by their clocks */
  openUntil: (moment: string) => `Open until ${moment}.`,
  /** In the calendar of staff. */
  summary: (type: EntryType, participantId: string | null, name: string) =>
    `${participantId === null ? '' : `${participantId}: `}${name}${type === 'window' ? ' closes' : ''}`,
  /** For a day that has more than the calendar lists. */
  more: (type: EntryType) => `More ${words[type]}: see the schedule`,
}
