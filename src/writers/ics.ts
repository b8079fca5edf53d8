/** Writes calendars as RFC 5545 says: lines of at most 75 octets that end with CRLF, escaped texts, all times in UTC. */
import type { Instant } from '#kernel/time'

/** One entry. `startsAt`: a moment, or a day `YYYY-MM-DD` for an entry of the whole day. */
export type CalendarEntry = {
  /** The same for the same entry for ever, and different from those of all other entries in the world. */
  uid: string
  /** When it was changed last, and how often. */
  updatedAt: Instant
  sequence: number
  startsAt: Instant | string
  /** Not before the start. Without it, the entry is a moment. */
  endsAt?: Instant | undefined
  summary: string
  description?: string | null | undefined
  url?: string | null | undefined
  isCancelled?: boolean | undefined
  /** Whether the person is busy then. */
  isBusy?: boolean | undefined
}

const MOST_OCTETS = 75

/** The octets of a character in UTF-8. */
function octetsOf(character: string): number {
  const code = character.codePointAt(0)!
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

/** Folds a line: the parts after the first begin with a space, and no character is cut in two. */
function folded(line: string): string {
  let text = ''
  let octets = 0
  for (const character of line) {
    const size = octetsOf(character)
    if (octets + size > MOST_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += size
  }
  return `${text}\r\n`
}

/** A TEXT value. Control characters, which it cannot hold, become spaces. */
const escaped = (text: string): string =>
  text
    .replace(/\r\n?/g, '\n')
    .replace(/[^\P{Cc}\t\n]/gu, ' ')
    .replace(/[\\;,]/g, '\\$&')
    .replaceAll('\n', '\\n')

/** A URI cannot hold a line break or control character, which would begin a line of its own. */
const uri = (url: string): string => url.replace(/[\p{Cc}\s]/gu, encodeURIComponent)

/** A moment, to the second. */
const moment = (at: Instant): string => `${new Date(at / 1000).toISOString().slice(0, 19).replace(/[-:]/g, '')}Z`

const property = (name: string, value: string | null | undefined): string[] =>
  value == null || value === '' ? [] : [`${name}:${value}`]

function linesOf(entry: CalendarEntry): string[] {
  const { startsAt, endsAt, description, url } = entry
  const day = typeof startsAt === 'string' ? startsAt.replaceAll('-', '') : undefined
  const isBusy = entry.isBusy && !entry.isCancelled
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(entry.uid)}`,
    `DTSTAMP:${moment(entry.updatedAt)}`,
    `LAST-MODIFIED:${moment(entry.updatedAt)}`,
    `SEQUENCE:${entry.sequence}`,
    day === undefined ? `DTSTART:${moment(startsAt as Instant)}` : `DTSTART;VALUE=DATE:${day}`,
    ...(endsAt === undefined ? [] : [`DTEND:${moment(endsAt)}`]),
    `SUMMARY:${escaped(entry.summary)}`,
    ...property('DESCRIPTION', description == null ? null : escaped(description)),
    ...property('URL', url == null ? null : uri(url)),
    `STATUS:${entry.isCancelled ? 'CANCELLED' : 'CONFIRMED'}`,
    `TRANSP:${isBusy ? 'OPAQUE' : 'TRANSPARENT'}`,
    'END:VEVENT',
  ]
}

/** A calendar must have a component. This one says nothing. */
const NOTHING = [
  'BEGIN:VTIMEZONE',
  'TZID:Etc/UTC',
  'BEGIN:STANDARD',
  'DTSTART:19700101T000000',
  'TZOFFSETFROM:+0000',
  'TZOFFSETTO:+0000',
  'END:STANDARD',
  'END:VTIMEZONE',
]

/** How often programs should read the calendar again. */
const REFRESH = 'PT1H'

/** A whole calendar. */
export function calendarText(name: string, entries: readonly CalendarEntry[]): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Trialbox//Calendar//EN',
    'CALSCALE:GREGORIAN',
    `NAME:${escaped(name)}`,
    `X-WR-CALNAME:${escaped(name)}`,
    `REFRESH-INTERVAL;VALUE=DURATION:${REFRESH}`,
    `X-PUBLISHED-TTL:${REFRESH}`,
    ...(entries.length ? entries.flatMap(linesOf) : NOTHING),
    'END:VCALENDAR',
  ]
  return lines.map(folded).join('')
}
