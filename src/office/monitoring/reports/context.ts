/** What every part of a report on a site needs. */
import { namesOf } from '#conduct/appointments/store'
import type { Db } from '#db/open'
import type { Site } from '#design/sites/store'
import type { Trial } from '#design/trials/store'
import { dayText } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Writer } from '#texts/writer'

export type Times = {
  /** When the report was asked for. */
  at: Instant
  /** That day in the zone of the trial. */
  today: string
  /** A moment by the clocks of the trial. */
  momentText(at: Instant): string
}

export type ReportContext = Times & { db: Db; trial: Trial; site: Site; writer: Writer }

export function timesIn(writer: Writer, { timezone }: Pick<Trial, 'timezone'>, at: Instant): Times {
  const zone = timezone ?? 'UTC'
  return { at, today: dayText(at, zone), momentText: (moment) => `${writer.moment(moment, zone)} (${zone})` }
}

/** The names of people, with commas; a dash for nobody. */
export const peopleText = ({ db }: Pick<ReportContext, 'db'>, people: readonly Id[]): string =>
  namesOf(db, people).join(', ') || '–'
