/** The rules behind the pages of the app: what the first page shows, calendar files, texts of resources. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { clockOf } from '#web/kit/language/dates'
import { type FormStatus, formStatusOf } from '#web/participant/form/formStatus'
import type { TimelineEntry } from '#web/participant/pages/apiTypes'
import { appointmentsOf, isToCome } from '#web/participant/pages/appointments'
import { calendarFile } from '#web/participant/pages/calendarFile'
import { arrangeTimeline, type Item, type OnDevice, withdrawnDay } from '#web/participant/pages/homeRules'
import { safeHtml } from '#wire/html'
import { type RichNode, richText } from '#wire/richText'
import { runs } from '../proof'

const HOUR = 3_600_000
const NOW = Date.parse('2026-03-02T12:00:00Z')
const at = (hours: number): string => new Date(NOW + hours * HOUR).toISOString()

const form = (_id: string, fields: Partial<TimelineEntry> = {}): TimelineEntry => ({
  _id,
  name: _id,
  description: '',
  enabled: true,
  completed: false,
  completedAt: null,
  enableAt: at(-1),
  expired: false,
  adHoc: false,
  behind: false,
  ...fields,
})
const nothing: OnDevice = { drafts: new Set(), entries: new Map() }
const arrange = (stages: TimelineEntry[], device = nothing, knownAt = NOW) =>
  arrangeTimeline(stages, device, { now: NOW, knownAt })

type About = Parameters<typeof formStatusOf>[0]

test.each<[FormStatus, fields: Partial<About>, about?: { status?: number; hasLeft?: boolean }]>([
  ['open', {}],
  ['open', { expiresAt: at(2) }],
  ['ending', { expiresAt: at(0.9) }],
  ['ended', { expiresAt: at(-0.1) }],
  ['ended', { enabled: false, expired: true, expiresAt: at(-9) }],
  ['notYet', { enabled: false, enableAt: at(1) }],
  ['notYet', { enabled: false, enableAt: null }],
  // It has opened since the copy was made.
  ['open', { enabled: false, enableAt: at(-0.1) }],
  ['open', { adHoc: true, enabled: false, enableAt: null }],
  ['left', { expiresAt: at(-1) }, { hasLeft: true }],
  ['gone', {}, { status: 404 }],
  ['gone', {}, { status: 404, hasLeft: true }],
  // Without a connection, or with a server in trouble, the copy counts.
  ['open', {}, { status: 0 }],
  ['open', {}, { status: 503 }],
])('a form is %s: %j', (standing, fields, { status, hasLeft = false } = {}) => {
  const about = { adHoc: false, enabled: true, expired: false, enableAt: at(-1), expiresAt: null, ...fields }
  expect(formStatusOf(about, { status, hasLeft, now: NOW })).toBe(standing)
})

describe('the first page', () => {
  test.each<[state: string, fields: Partial<TimelineEntry>, device: Partial<OnDevice>]>([
    ['open', {}, {}],
    ['late', { behind: true }, {}],
    ['draft', { behind: true }, { drafts: new Set(['a']) }],
    ['sending', {}, { entries: new Map([['a', 'waiting']]) }],
    ['refused', {}, { entries: new Map([['a', 'refused']]) }],
    ['held', { expired: true }, { entries: new Map([['a', 'held']]) }],
    ['coming', { enabled: false, enableAt: at(1) }, {}],
    ['coming', { enabled: false, enableAt: null }, {}],
    ['done', { completed: true, completedAt: at(-1) }, { drafts: new Set(['a']) }],
    ['missed', { enabled: false, expired: true, expiresAt: at(-1) }, {}],
    // What was answered in time can still be sent.
    ['draft', { enabled: false, expired: true, expiresAt: at(-1) }, { drafts: new Set(['a']) }],
    // The window has ended since the timeline was read.
    ['missed', { expiresAt: at(-0.1) }, {}],
  ])('shows a form as %s', (state, fields, device) => {
    const day = arrange([form('a', fields)], { ...nothing, ...device })
    const all = [...day.now.map(({ item }) => item), ...day.coming, ...day.past]
    expect(all.map((each) => each.state)).toEqual([state as 'open'])
  })

  test('somebody who has withdrawn is asked nothing, and sees what was and what needs them', () => {
    const stages = [form('open'), form('note', { adHoc: true }), form('next', { enabled: false, enableAt: at(1) })]
    const all = [...stages, form('done', { completed: true }), form('refused')]
    const day = withdrawnDay(arrange(all, { ...nothing, entries: new Map([['refused', 'refused']]) }))
    const ids = (items: readonly Item[]) => items.map(({ entry }) => entry._id)
    expect(ids(day.now.map(({ item }) => item))).toEqual(['refused'])
    expect([ids(day.anyTime), ids(day.coming), ids(day.past)]).toEqual([[], [], ['done']])
  })

  test('a form that opened after the timeline was read is open, without a connection too', () => {
    const opened = form('a', { enabled: false, enableAt: at(-1) })
    expect(arrange([opened], nothing, NOW - 2 * HOUR).now).toHaveLength(1)
    // The server knew of its opening and did not open it.
    expect(arrange([opened], nothing, NOW).now).toHaveLength(0)
  })

  test('what the person began, what is late and what closes soon is first, and older ones of a form are behind the newest', () => {
    const stages = [
      form('calm'),
      form('soon', { expiresAt: at(2) }),
      form('late', { behind: true }),
      form('begun'),
      ...[3, 2, 1].map((days) => form(`diary::${3 - days}`, { enableAt: at(-24 * days) })),
    ]
    const { now } = arrange(stages, { ...nothing, drafts: new Set(['begun']) })
    expect(now.map(({ item }) => item.entry._id)).toEqual(['begun', 'late', 'soon', 'diary::2', 'calm'])
    expect(now[3]?.earlier.map(({ entry }) => entry._id)).toEqual(['diary::1', 'diary::0'])
  })

  test('of a form that is open twice, the one that closes within a day stands before the newer one, and not behind it', () => {
    const [before, newest] = [
      form('diary::0', { enableAt: at(-46), expiresAt: at(2) }),
      form('diary::1', { enableAt: at(-22), expiresAt: at(26) }),
    ]
    const { now } = arrange([before, newest])
    expect(now.map(({ item, earlier }) => [item.entry._id, earlier.length])).toEqual([
      ['diary::0', 0],
      ['diary::1', 0],
    ])
  })

  test('ad hoc forms stand apart, are no progress, and can be filled in again while one is on its way', () => {
    const day = arrange([form('note', { adHoc: true, enableAt: null }), form('a', { completed: true })], {
      ...nothing,
      entries: new Map([['note', 'waiting']]),
    })
    expect([day.anyTime.length, day.done, day.all]).toEqual([1, 1, 1])
  })

  test('no form is lost or shown twice, whatever the timeline is', () => {
    const time = fc.option(fc.integer({ min: -50, max: 50 }).map(at), { nil: null })
    const entry = fc.record({ enabled: fc.boolean(), completed: fc.boolean(), expired: fc.boolean(), enableAt: time })
    const device = fc.constantFrom('waiting' as const, 'refused' as const, 'held' as const, undefined)
    fc.assert(
      fc.property(fc.array(fc.tuple(entry, time, device, fc.boolean()), { maxLength: 30 }), (list) => {
        const stages = list.map(([fields, expiresAt], n) => form(`s${n % 4}::${n}`, { ...fields, expiresAt }))
        const entries = new Map(list.flatMap(([, , state], n) => (state ? [[`s${n % 4}::${n}`, state] as const] : [])))
        const drafts = new Set(list.flatMap(([, , , has], n) => (has ? [`s${n % 4}::${n}`] : [])))
        const day = arrange(stages, { drafts, entries })
        const shown = [...day.now.flatMap(({ item, earlier }) => [item, ...earlier]), ...day.coming, ...day.past]
        expect(shown.map((each) => each.entry._id).sort()).toEqual(stages.map(({ _id }) => _id).sort())
      }),
    )
  })
})

describe('a calendar file', () => {
  const event = { _id: 'e1', description: null, startsAt: at(24), duration: 90, personnel: [], personnelNames: [] }
  const fileOf = (title: string) =>
    calendarFile('Study', appointmentsOf([{ ...event, title }], [], [form('f', { enableAt: at(48) })]), NOW)

  test('has an event for each appointment, with an alarm', () => {
    expect(fileOf('Visit').replaceAll('\r\n', '\n')).toContain(
      `BEGIN:VEVENT
UID:e1@trialbox
DTSTAMP:20260302T120000Z
DTSTART:20260303T120000Z
DTEND:20260303T133000Z
SUMMARY:Visit
BEGIN:VALARM
ACTION:DISPLAY
DESCRIPTION:Visit
TRIGGER:-PT60M
END:VALARM
END:VEVENT`,
    )
    expect(fileOf('Visit').match(/BEGIN:VEVENT/g)).toHaveLength(2)
  })

  test('no title breaks out of its line, and no line is longer than 75 bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (title) => {
        const lines = fileOf(title).split('\r\n')
        expect(lines.every((line) => new TextEncoder().encode(line).length <= 75)).toBe(true)
        expect(lines.filter((line) => line === 'BEGIN:VEVENT')).toHaveLength(2)
        expect(lines.some((line) => /[\n\r]/.test(line))).toBe(false)
      }),
      { numRuns: runs(20) },
    )
  })

  test('a meeting is to come until it has ended, a form until it opens', () => {
    const [meeting, opened] = [
      appointmentsOf([{ ...event, title: 'x', startsAt: at(-1), duration: 90 }], [], [])[0],
      appointmentsOf([], [], [form('f', { enableAt: at(-1) })])[0],
    ]
    expect([meeting && isToCome(meeting, NOW), opened && isToCome(opened, NOW)]).toEqual([true, false])
  })
})

const plain = (nodes: readonly RichNode[]): string =>
  nodes.map((node) => (typeof node === 'string' ? node : plain(node.children))).join('')

describe('the text of a resource', () => {
  test('is read as a tree of the elements that the server lets through', async () => {
    const html = await safeHtml(
      '<h2 onclick=x>A & b</h2><p>see <a href="https://x.org/?a=1&b=2">here</a><br>&lt;b&gt;</p>',
    )
    expect(richText(html)).toEqual([
      { name: 'h2', attributes: {}, children: ['A & b'] },
      {
        name: 'p',
        attributes: {},
        children: [
          'see ',
          { name: 'a', attributes: { href: 'https://x.org/?a=1&b=2' }, children: ['here'] },
          { name: 'br', attributes: {}, children: [] },
          '<b>',
        ],
      },
    ])
  })

  test.each([
    '<script>alert(1)</script>',
    '<a href="javascript:alert(1)">x</a>',
    '<img src="https://elsewhere.test/x" onerror="alert(1)">',
    '<p onclick="alert(1)">x</p>',
    '<iframe src="https://elsewhere.test"></iframe>',
    '</p></p><p',
    '<constructor><__proto__>x',
  ])('even from a server that lets %p through, nothing but harmless elements comes of it', (html) => {
    const all = (nodes: readonly RichNode[]): Exclude<RichNode, string>[] =>
      nodes.flatMap((node) => (typeof node === 'string' ? [] : [node, ...all(node.children)]))
    for (const { name, attributes } of all(richText(html))) {
      expect(['a', 'img', 'p']).toContain(name)
      expect(attributes).toEqual({})
    }
  })

  test('loses no character of a text', async () => {
    const texts = fc.string({ unit: 'grapheme', maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { maxLength: 5 }), async (parts) => {
        const text = parts.join('').replace(/[\p{Cc}\ufeff]/gu, '')
        const escaped = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')
        expect(plain(richText(await safeHtml(`<ul><li><b>${escaped}</b></li></ul>`)))).toBe(text)
      }),
      { numRuns: runs(50) },
    )
  })
})

test.each<[language: 'en' | 'de' | 'ar', zone: string, moment: string, length: string]>([
  ['en', 'Europe/Berlin', 'Mon 2 Mar, 13:00', '2 days'],
  ['de', 'America/New_York', 'Mo., 2. März, 07:00', '2 Tage'],
])('moments in %s and the zone %s', (language, zone, moment, length) => {
  const clock = clockOf(language, zone)
  const short = clock.shortDay(NOW, NOW)
  expect(`${short}, ${clock.time(NOW)}`).toBe(moment)
  expect([clock.length(49 * HOUR), clock.dayKey(NOW)]).toEqual([length, '2026-03-02'])
})

test('a zone that the device does not know does not stop the app', () => {
  expect(clockOf('en', 'Nowhere/Land').time(NOW)).toMatch(/^\d\d:\d\d$/)
})
