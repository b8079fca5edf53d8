/** What the app makes of an answer to an entry: nothing that the server has not decided may become a refusal. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { shouldHandOver, verdictOf } from '#web/form/answers/verdict'
import { sizeWithin } from '#web/form/widgets/photo'
import { retryDelayOf } from '#web/kit/api/send'
import type { Entry } from '#web/participant/device/model'

const answer = (status: number, isRefusal = true, details = {}) =>
  ({ isDone: false, status, message: 'No.', fields: {}, details, isRefusal }) as const

describe('an answer to an entry', () => {
  test.each([
    ['a rule of the study', answer(422), 'refused'],
    ['a form that has closed', answer(403, true, { code: 'closed' }), 'refused'],
    ['a trial that is gone', answer(404), 'refused'],
    ['an entry that is stored already', answer(400, true, { code: 'repeatedEntry' }), 'repeated'],
    ['no connection', answer(0, false), 'later'],
    ['an ended session', answer(401), 'later'],
    ['too many requests', answer(429), 'later'],
    ['a server in trouble', answer(503), 'later'],
    ['a success that was cut on its way', answer(200, false), 'later'],
    ['the page of a portal', answer(403, false), 'later'],
    ['a redirection', answer(302, false), 'later'],
  ] as const)('%s', (_, given, verdict) => expect(verdictOf(given)).toBe(verdict))

  test('what is not a refusal of this server is sent again, whatever its status', () => {
    fc.assert(fc.property(fc.integer({ min: 0, max: 599 }), (status) => verdictOf(answer(status, false)) === 'later'))
  })
})

const madeAt = '2026-11-20T08:00:00.000Z'
const soon = Date.parse(madeAt) + 60_000
const later = Date.parse(madeAt) + 2 * 86_400_000
const field = { f: { code: 'required' as const, params: {}, text: 'Too much.' } }
const entry = (state: Entry['state'], problem?: Entry['problem']): Entry => ({
  ...{ id: 'e', who: 'w', occurrence: 's', title: 'Diary', version: 'v', opened: 'o', answers: {}, tries: 1, madeAt },
  ...{ state, ...(problem ? { problem } : {}) },
})

test.each([
  [null, undefined],
  ['', undefined],
  ['soon', undefined],
  ['0', 0],
  ['120', 120_000],
  ['Fri, 20 Nov 2026 08:01:00 GMT', 60_000],
  ['Fri, 20 Nov 2026 07:00:00 GMT', 0],
] as const)('Retry-After %p means to wait %p ms', (header, wait) =>
  expect(retryDelayOf(header, Date.parse(madeAt))).toBe(wait as number),
)

test.each([
  [4000, 3000, { width: 2560, height: 1920 }],
  [3000, 4000, { width: 1920, height: 2560 }],
  [2560, 10, { width: 2560, height: 10 }],
  [100_000, 3, { width: 2560, height: 1 }],
] as const)('a photograph of %d × %d is kept as %j', (width, height, size) =>
  expect(sizeWithin(width, height)).toEqual(size),
)

describe('the study team gets', () => {
  test.each([
    ['what the person cannot correct, at once', entry('refused', { status: 403, message: '', fields: {} }), soon, true],
    ['not yet what they can', entry('refused', { status: 422, message: '', fields: field }), soon, false],
    [
      'what they have not corrected for a day',
      entry('refused', { status: 422, message: '', fields: field }),
      later,
      true,
    ],
    ['nothing that waits', entry('waiting'), later, false],
    ['nothing twice', entry('held', { status: 403, message: '', fields: {} }), later, false],
    [
      'nothing from somebody who has withdrawn',
      entry('refused', { status: 403, message: '', code: 'withdrawn', fields: {} }),
      later,
      false,
    ],
    [
      'nothing from somebody who was archived',
      entry('refused', { status: 403, message: '', code: 'archived', fields: {} }),
      later,
      false,
    ],
  ] as const)('%s', (_, given, now, isDue) => expect(shouldHandOver(given, now)).toBe(isDue))
})
