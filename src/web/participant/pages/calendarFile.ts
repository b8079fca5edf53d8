/** Writes appointments as an iCalendar file (RFC 5545), with alarms, so that the phone itself reminds without a network. Pure. */
import type { Appointment } from './appointments'

const stamp = (at: number): string => new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')

const escaped = (text: string): string =>
  text
    .replace(/\\/g, '\\\\')
    .replace(/([;,])/g, '\\$1')
    .replace(/\r\n?|\n/g, '\\n')
    .replace(/\p{Cc}/gu, '')
    .toWellFormed()

const bytes = new TextEncoder()
/** Lines have at most 75 bytes; a character is never divided. */
function folded(line: string): string {
  const parts: string[] = []
  let part = ''
  let size = 0
  for (const character of line) {
    const length = bytes.encode(character).length
    if (size + length > (parts.length ? 74 : 75)) {
      parts.push(part)
      part = ''
      size = 0
    }
    part += character
    size += length
  }
  return [...parts, part].join('\r\n ')
}

const DEFAULT_MINUTES: Readonly<Record<Appointment['kind'], number>> = { event: 60, meeting: 60, form: 15 }

function eventOf({ id, kind, title, description, starts, minutes, join }: Appointment, now: number): string[] {
  const length = minutes ?? DEFAULT_MINUTES[kind]
  const text = [description, join?.url].filter(Boolean).join('\n')
  return [
    'BEGIN:VEVENT',
    `UID:${escaped(id)}@trialbox`,
    `DTSTAMP:${stamp(now)}`,
    `DTSTART:${stamp(starts)}`,
    `DTEND:${stamp(starts + length * 60_000)}`,
    `SUMMARY:${escaped(title)}`,
    ...(text ? [`DESCRIPTION:${escaped(text)}`] : []),
    ...(join ? [`URL:${join.url}`] : []),
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(title)}`,
    kind === 'form' ? 'TRIGGER:PT0M' : 'TRIGGER:-PT60M',
    'END:VALARM',
    'END:VEVENT',
  ]
}

/** @param name of the calendar */
export function calendarFile(name: string, appointments: readonly Appointment[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Trialbox//Participants//EN',
    `X-WR-CALNAME:${escaped(name)}`,
    ...appointments.flatMap((each) => eventOf(each, now)),
    'END:VCALENDAR',
  ]
  return `${lines.map(folded).join('\r\n')}\r\n`
}
