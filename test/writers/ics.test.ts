/** Calendars: what RFC 5545 says of lines and texts, and that another program reads what was written. */
import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { convertIcsCalendar } from 'ts-ics'
import { parseInstant } from '#kernel/time'
import { type CalendarEntry, calendarText } from '#writers/ics'
import { firstOf } from '../present'

const at = (text: string) => parseInstant(text)!
const entry: CalendarEntry = {
  uid: '65f1c0de0123456789abcdef@study.example.org',
  updatedAt: at('2026-03-01T08:00:00.5Z'),
  sequence: 2,
  startsAt: at('2026-03-04T09:30:00Z'),
  endsAt: at('2026-03-04T10:00:00Z'),
  summary: 'Scan; bring card, “old” \\ new',
  description: 'Line 1\nLine 2\r\nLine 3',
  url: 'https://study.example.org/app/meeting/x?a=1,2;3',
  isBusy: true,
}

/** The content lines, with folded ones joined. */
const linesOf = (text: string) => text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)

test('an entry has its properties, escaped, in UTC', () => {
  const lines = linesOf(calendarText('Sleep, study', [entry]))
  expect(lines).toEqual([
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Trialbox//Calendar//EN',
    'CALSCALE:GREGORIAN',
    'NAME:Sleep\\, study',
    'X-WR-CALNAME:Sleep\\, study',
    'REFRESH-INTERVAL;VALUE=DURATION:PT1H',
    'X-PUBLISHED-TTL:PT1H',
    'BEGIN:VEVENT',
    'UID:65f1c0de0123456789abcdef@study.example.org',
    'DTSTAMP:20260301T080000Z',
    'LAST-MODIFIED:20260301T080000Z',
    'SEQUENCE:2',
    'DTSTART:20260304T093000Z',
    'DTEND:20260304T100000Z',
    'SUMMARY:Scan\\; bring card\\, “old” \\\\ new',
    'DESCRIPTION:Line 1\\nLine 2\\nLine 3',
    'URL:https://study.example.org/app/meeting/x?a=1,2;3',
    'STATUS:CONFIRMED',
    'TRANSP:OPAQUE',
    'END:VEVENT',
    'END:VCALENDAR',
  ])
})

test('a whole day, no end, no texts; a cancelled entry keeps nobody busy', () => {
  const { endsAt: _, ...rest } = entry
  const day = { ...rest, startsAt: '2026-03-04', description: '', url: null, isCancelled: true }
  const lines = linesOf(calendarText('x', [day]))
  expect(lines).toContain('DTSTART;VALUE=DATE:20260304')
  expect(lines).toContain('STATUS:CANCELLED')
  expect(lines).toContain('TRANSP:TRANSPARENT')
  expect(lines.filter((line) => /^(DTEND|DESCRIPTION|URL)/.test(line))).toEqual([])
})

test('nothing that a person wrote begins a line of its own', () => {
  const evil = 'x\r\nATTENDEE:mailto:a@example.org\nBEGIN:VALARM\r\u0085\u2028y\u0000'
  const lines = linesOf(
    calendarText(evil, [{ ...entry, uid: evil, summary: evil, description: evil, url: `https://a/${evil}` }]),
  )
  expect(lines.filter((line) => /^(ATTENDEE|BEGIN:VALARM)/.test(line))).toEqual([])
  expect(lines.length).toBe(22)
})

test('a calendar without entries still has a component', () => {
  const lines = linesOf(calendarText('x', []))
  expect(lines.filter((line) => line.startsWith('BEGIN:'))).toEqual([
    'BEGIN:VCALENDAR',
    'BEGIN:VTIMEZONE',
    'BEGIN:STANDARD',
  ])
})

const words = fc.string({ unit: 'grapheme', maxLength: 120 })

test('lines have at most 75 octets and end with CRLF; another program reads the same texts', () => {
  fc.assert(
    fc.property(
      fc.array(fc.record({ summary: words, description: words }), { minLength: 1, maxLength: 4 }),
      (texts) => {
        const entries = texts.map((each, n) => ({ ...entry, ...each, uid: `${n}@x` }))
        const text = calendarText('Study', entries)
        expect(text.endsWith('\r\n')).toBe(true)
        for (const line of text.split('\r\n')) {
          expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
          expect(line).not.toMatch(/[\r\n]/)
          expect(line.isWellFormed()).toBe(true)
        }
        // The names of the properties in each entry are those of the first test, whatever the texts are.
        expect(linesOf(text).filter((line) => line.startsWith('BEGIN:VEVENT'))).toHaveLength(texts.length)
      },
    ),
    { numRuns: 200 },
  )
  const { events = [] } = convertIcsCalendar(
    undefined,
    calendarText('Study', [entry, { ...entry, uid: '2@x', isCancelled: true }]),
  )
  expect(events).toHaveLength(2)
  expect(firstOf(events)).toMatchObject({
    uid: entry.uid,
    sequence: 2,
    status: 'CONFIRMED',
    summary: entry.summary,
    description: 'Line 1\nLine 2\nLine 3',
    url: entry.url,
    start: { date: new Date('2026-03-04T09:30:00Z') },
    end: { date: new Date('2026-03-04T10:00:00Z') },
    stamp: { date: new Date('2026-03-01T08:00:00Z') },
  })
  expect(events[1]!.status).toBe('CANCELLED')
})
