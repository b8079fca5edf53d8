/** Which answers that arrive after the end of the window are believed to have been given in it. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { checkAnswerTimes, type LateRefusal, openedAt, openedToken, timesOf } from '#conduct/responses/lateAnswers'
import { createSeal } from '#kernel/seal'
import { HOUR, MINUTE } from '#kernel/time'

const [enableAt, expiresAt] = [100 * HOUR, 124 * HOUR]
const usual = { enableAt, expiresAt, openedAt: 110 * HOUR, times: [111 * HOUR, 112 * HOUR], newest: undefined }

const cases: [string, Partial<Parameters<typeof checkAnswerTimes>[0]>, number | LateRefusal][] = [
  ['all answers in the window', {}, 112 * HOUR],
  ['a form that was read before it opened', { openedAt: 90 * HOUR }, 112 * HOUR],
  ['an answer at the moment of the opening', { openedAt: 90 * HOUR, times: [enableAt] }, enableAt],
  ['an answer just before the end', { times: [expiresAt - 1] }, expiresAt - 1],
  ['an answer at the end', { times: [expiresAt] }, 'outsideWindow'],
  ['one of several answers after the end', { times: [111 * HOUR, expiresAt + 1] }, 'outsideWindow'],
  ['an answer before the opening', { openedAt: 90 * HOUR, times: [enableAt - 1] }, 'outsideWindow'],
  ['no proof that the form was opened', { openedAt: undefined }, 'notOpened'],
  ['a form that was opened at the end', { openedAt: expiresAt }, 'openedLate'],
  ['a form that was opened just before the end', { openedAt: expiresAt - 1, times: [expiresAt - 1] }, expiresAt - 1],
  ['an answer without a time', { times: [111 * HOUR, undefined] }, 'noTime'],
  ['no answer', { times: [] }, 'noTime'],
  ['an answer older than the opened form', { times: [110 * HOUR - 10 * MINUTE - 1] }, 'beforeOpened'],
  ['a clock that is a little behind', { times: [110 * HOUR - 10 * MINUTE] }, 110 * HOUR - 10 * MINUTE],
  ['older answers that are stored', { newest: 111 * HOUR }, 112 * HOUR],
  ['newer answers that are stored', { newest: 111 * HOUR + 1 }, 'newerAnswers'],
]
test.each(cases)('%s', (_, change, expected) => {
  expect(checkAnswerTimes({ ...usual, ...change })).toBe(expected)
})

test('what is believed was opened and answered in the window, whatever was sent', () => {
  const moment = fc.integer({ min: 90 * HOUR, max: 130 * HOUR })
  const facts = fc.record({
    enableAt: fc.constant(enableAt),
    expiresAt: fc.constant(expiresAt),
    openedAt: fc.option(moment, { nil: undefined }),
    times: fc.array(fc.option(moment, { nil: undefined, freq: 8 }), { maxLength: 3 }),
    newest: fc.option(moment, { nil: undefined }),
  })
  let believed = 0
  fc.assert(
    fc.property(facts, (sent) => {
      const at = checkAnswerTimes(sent)
      if (typeof at === 'string') return
      believed++
      expect(sent.openedAt).toBeLessThan(expiresAt)
      expect(at).toBe(Math.max(...sent.times.map((time) => time ?? Infinity)))
      for (const time of sent.times) {
        expect(time).toBeGreaterThanOrEqual(enableAt)
        expect(time).toBeLessThan(expiresAt)
        expect(time).toBeGreaterThanOrEqual(sent.openedAt! - 10 * MINUTE)
      }
    }),
    { numRuns: 2000 },
  )
  expect(believed).toBeGreaterThan(20)
})

describe('the proof of the opening', () => {
  const seal = createSeal('secret')
  const form = { participant: 'a'.repeat(24), stage: 'b'.repeat(24), stageRecurrence: 0 }
  const token = openedToken(seal, form, 5 * HOUR)

  test('says when the form was opened', () => expect(openedAt(seal, form, token)).toBe(5 * HOUR))

  test.each([
    ['another participant', { ...form, participant: 'c'.repeat(24) }, token],
    ['another form', { ...form, stage: 'c'.repeat(24) }, token],
    ['another occurrence', { ...form, stageRecurrence: 1 }, token],
    ['another time', form, token.replace(/^\d+/, `${4 * HOUR}`)],
    ['a zero before the time', form, `0${token}`],
    ['nothing', form, ''],
    ['half an emoji', form, '\ud83d'],
    ['a time alone', form, '5.'],
  ])('is none for %s', (_, of, text) => expect(openedAt(seal, of, text)).toBeUndefined())

  test('is none of another server', () => expect(openedAt(createSeal('other'), form, token)).toBeUndefined())
})

test('only answers to fields that are asked count, and a blank that clears one is an answer', () => {
  expect(
    timesOf(['a', 'b', 'c', 'd'], { a: { value: 1, createdAt: 7 }, b: { value: null }, c: {}, x: { value: 1 } }),
  ).toEqual([7, undefined])
})
