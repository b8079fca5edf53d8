/** The texts in calendars. */
import { momentText } from '#conduct/appointments/texts'
import type { Instant } from '#kernel/time'
import type { Writer } from '#texts/writer'
import type { EntryType } from './model'

const MORE = {
  meeting: 'calendar.more.meeting',
  event: 'calendar.more.event',
  task: 'calendar.more.task',
  window: 'calendar.more.window',
  visit: 'calendar.more.visit',
} as const satisfies Record<EntryType, unknown>

export const calendarTexts = {
  /** In the calendar of a participant. @param at when the form closes, by the clocks of the zone */
  openUntil: (writer: Writer, zone: string, at: Instant): string =>
    writer.write('calendar.openUntil', { when: momentText(writer, zone, at) }),
  /** In the calendar of staff. */
  summary: ({ write }: Writer, type: EntryType, participantId: string | null, name: string): string =>
    `${participantId === null ? '' : `${participantId}: `}${type === 'window' ? write('calendar.closes', { name }) : name}`,
  /** A monitoring visit at a site. */
  monitoring: ({ write }: Writer, site: string, visit: string): string => write('calendar.monitoring', { site, visit }),
  /** For a day that has more than the calendar lists. */
  more: ({ write }: Writer, type: EntryType): string => write(MORE[type], {}),
}
