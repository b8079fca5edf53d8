/** Calendars of staff and of the app, as another program reads them: Debian's python3-icalendar. */
import { expect, test } from 'bun:test'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseInstant } from '#kernel/time'
import type { Appointment } from '#web/participant/pages/appointments'
import { calendarFile } from '#web/participant/pages/calendarFile'
import { type CalendarEntry, calendarText } from '#writers/ics'
import { hasPython, inFolder, python } from './folder'

const hasReader = hasPython('icalendar')
if (!hasReader) console.warn('Calendars are not read: there is no python3-icalendar.')

const PROGRAM = `
import json, sys
from datetime import datetime
from zoneinfo import ZoneInfo
from icalendar import Calendar
def when(each):
    at = each.dt
    return at.astimezone(ZoneInfo('Europe/Berlin')).isoformat() if isinstance(at, datetime) else at.isoformat()
calendar = Calendar.from_ical(open(sys.argv[1], 'rb').read())
print(json.dumps({
    'name': str(calendar['X-WR-CALNAME']),
    'errors': [str(error) for part in calendar.walk() for error in part.errors],
    'zones': len(calendar.walk('VTIMEZONE')),
    'events': [{
        'uid': str(event['UID']), 'summary': str(event['SUMMARY']), 'description': str(event.get('DESCRIPTION', '')),
        'url': str(event.get('URL', '')), 'starts': when(event['DTSTART']),
        'ends': when(event['DTEND']) if 'DTEND' in event else None,
        'alarms': [[str(alarm['DESCRIPTION']), alarm['TRIGGER'].dt.total_seconds() / 60] for alarm in event.walk('VALARM')],
    } for event in calendar.walk('VEVENT')],
}))`

type ReadCalendar = {
  name: string
  errors: string[]
  zones: number
  events: Record<'uid' | 'summary' | 'description' | 'url' | 'starts' | 'ends' | 'alarms', unknown>[]
}

/** What the program reads in a calendar. */
function read(calendar: string): ReadCalendar {
  const { ok, out, error } = inFolder((folder) => {
    const path = join(folder, 'calendar.ics')
    writeFileSync(path, calendar)
    return python(PROGRAM, path)
  })
  if (!ok) throw new Error(error)
  return JSON.parse(out)
}

const TITLES = [
  // No n, comma or semicolon right after a backslash: this reader (4.0.3) takes the second half of an escaped backslash for the begin
  // of another escape. The exact lines are in `ics.test.ts`.
  'Scan, bring: card; "old" \\ new, C:\\scans\\ and \\',
  'First line\nBEGIN:VALARM\nsecond; line',
  'موعد المتابعة، الزيارة الثانية؛ من فضلك أحضر البطاقة معك إلى المستشفى صباح يوم الأحد',
  // A character of four bytes begins at each of the bytes around the fold.
  ...Array.from({ length: 12 }, (_, n) => `${'x'.repeat(60 + n)}😀👩‍👩‍👧 and more`),
  ' spaces at both ends ',
  '\u202eturned\u202c %0A =0D=0A <b>',
]

/** Moments around both changes of the clock in Berlin, and what the clock shows there. */
const MOMENTS = [
  ['2026-03-29T00:59:59Z', '2026-03-29T01:59:59+01:00'],
  ['2026-03-29T01:00:00Z', '2026-03-29T03:00:00+02:00'],
  ['2026-10-25T00:30:00Z', '2026-10-25T02:30:00+02:00'],
  ['2026-10-25T01:30:00Z', '2026-10-25T02:30:00+01:00'],
] as const

const URL = 'https://study.example.org/app/meeting/x?a=1,2;3'
const HALF_HOUR = 1_800_000

const berlin = (at: number) =>
  python(
    `import sys; from datetime import datetime; from zoneinfo import ZoneInfo
print(datetime.fromtimestamp(int(sys.argv[1]), ZoneInfo('Europe/Berlin')).isoformat())`,
    String(at / 1000),
  ).out.trim()

test.skipIf(!hasReader)('another program reads every title and moment of the calendar of staff', () => {
  const events = [...TITLES.entries()].map(([n, summary]): CalendarEntry => {
    const startsAt = parseInstant(MOMENTS[n % MOMENTS.length]![0])!
    const about = { uid: `${n}@study.example.org`, updatedAt: startsAt, sequence: n, summary, description: summary }
    return { ...about, startsAt, endsAt: startsAt + HALF_HOUR * 1000, url: URL }
  })
  const day: CalendarEntry = { ...events[0]!, uid: 'day', startsAt: '2026-03-29', endsAt: undefined }
  const { name, errors, events: found } = read(calendarText(TITLES[0]!, [...events, day]))
  expect([name, errors]).toEqual([TITLES[0]!, []])
  expect(found.map(({ summary }) => summary)).toEqual([...TITLES, TITLES[0]!])
  expect(found.map(({ description, url }) => [description, url])).toEqual(
    [...TITLES, TITLES[0]!].map((title) => [title, URL]),
  )
  expect(found.slice(0, 4).map(({ starts }) => starts)).toEqual(MOMENTS.map(([, shown]) => shown))
  expect(found.slice(0, 4).map(({ ends }) => ends)).toEqual(MOMENTS.map(([at]) => berlin(Date.parse(at) + HALF_HOUR)))
  expect(found.at(-1)).toMatchObject({ uid: 'day', starts: '2026-03-29', ends: null })
  expect(read(calendarText('x', []))).toEqual({ name: 'x', errors: [], zones: 1, events: [] })
})

test.skipIf(!hasReader)('and of the file that the app makes, with its alarms', () => {
  const kinds = ['event', 'meeting', 'form'] as const
  const appointments = [...TITLES.entries()].map(([n, title]): Appointment => {
    const starts = Date.parse(MOMENTS[n % MOMENTS.length]![0])
    const kind = kinds[n % kinds.length]!
    const join = kind === 'meeting' ? { join: { url: URL, from: starts, until: starts } } : {}
    return { id: `${n}`, kind, title, description: title, starts, minutes: 30, people: [], ...join }
  })
  const { name, errors, events } = read(calendarFile(TITLES[1]!, appointments, 0))
  expect([name, errors]).toEqual([TITLES[1]!, []])
  expect(events).toEqual(
    appointments.map(({ id, kind, title, starts, join }) => ({
      uid: `${id}@trialbox`,
      summary: title,
      description: join ? `${title}\n${URL}` : title,
      url: join ? URL : '',
      starts: expect.stringMatching(/^2026-/),
      ends: berlin(starts + HALF_HOUR),
      alarms: [[title, kind === 'form' ? 0 : -60]],
    })),
  )
  expect(events.slice(0, 4).map(({ starts }) => starts)).toEqual(MOMENTS.map(([, shown]) => shown))
})
