/** Which values each format takes, and what the service says of the others. */
import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { type FieldSettings, formats } from '#design/dataTypes/model'
import { normalise, valueCheck } from '#design/dataTypes/rules'
import { at, bmi, judge, likert, noon, several, table, yesNo, zeroToTen } from './dataTypes.rules.shared'

describe('a value', () => {
  const cases: [string, FieldSettings, unknown, string | undefined][] = [
    ['text', { format: 'text' }, 'a', undefined],
    ['text that is a number', { format: 'text' }, 1, 'wrong: must be text'],
    ['the longest text', { format: 'text', maxLength: 3 }, 'abc', undefined],
    ['one character more', { format: 'text', maxLength: 3 }, 'abcd', 'unfit: must be at most 3 characters'],
    ['the shortest text', { format: 'paragraph', minLength: 3 }, 'abc', undefined],
    ['one character less', { format: 'paragraph', minLength: 3 }, 'ab', 'unfit: must be at least 3 characters'],
    ['a text that matches the pattern', { format: 'text', pattern: '[A-Z]{2}\\d|x' }, 'AB1', undefined],
    [
      'a text longer than the pattern',
      { format: 'text', pattern: '[A-Z]{2}\\d|x' },
      'AB12',
      'unfit: must be in the form [A-Z]{2}\\d|x',
    ],
    ['a pattern with anchors', { format: 'text', pattern: '^\\d+$' }, '12', undefined],
    ['the least number', zeroToTen, 0, undefined],
    ['the greatest number', zeroToTen, 10, undefined],
    ['too small', zeroToTen, -1, 'unfit: must be from 0 to 10'],
    ['too great', zeroToTen, 11, 'unfit: must be from 0 to 10'],
    ['only a minimum', { format: 'float', min: 1.5 }, 1.4, 'unfit: must be at least 1.5'],
    ['only a maximum', { format: 'float', max: 1.5 }, 1.6, 'unfit: must be at most 1.5'],
    ['a fraction for an integer', zeroToTen, 1.5, 'unfit: must be a whole number'],
    ['a numeric text', zeroToTen, '5', 'wrong: must be a number'],
    ['yes for a number', zeroToTen, true, 'wrong: must be a number'],
    ['not a number', { format: 'float' }, Number.NaN, 'wrong: must be a number'],
    ['infinity', { format: 'float' }, Number.POSITIVE_INFINITY, 'wrong: must be a number'],
    ['on the step', { format: 'slider', min: 0, step: 0.1 }, 0.3, undefined],
    ['on the step by a sum', { format: 'slider', min: 0, step: 0.1 }, 0.1 + 0.2, undefined],
    ['on the step from min', { format: 'rating', min: 0.5, step: 2 }, 4.5, undefined],
    ['off the step from min', { format: 'rating', min: 0.5, step: 2 }, 4, 'unfit: must be in steps of 2 from 0.5'],
    ['slightly off the step', { format: 'float', step: 1 }, 1_000_000.001, 'unfit: must be in steps of 1 from 0'],
    ['a large number on the step', { format: 'float', step: 0.01 }, 123_456_789.01, undefined],
    ['the most decimals', { format: 'float', decimals: 2 }, 1.15, undefined],
    ['one decimal more', { format: 'float', decimals: 2 }, 1.155, 'unfit: must have at most 2 decimals'],
    ['a decimal if none is allowed', { format: 'measurements', decimals: 0 }, 1.5, 'unfit: must be a whole number'],
    ['one decimal at most', { format: 'measurements', decimals: 1 }, 1.25, 'unfit: must have at most 1 decimal'],
    ['a date', { format: 'date' }, '2026-03-01T00:00:00Z', undefined],
    ['a plain day', { format: 'date' }, '2026-03-01', 'wrong: must be a date such as 2026-03-01T00:00:00Z'],
    [
      'a day that does not exist',
      { format: 'date' },
      '2026-02-30T00:00:00Z',
      'wrong: must be a date such as 2026-03-01T00:00:00Z',
    ],
    [
      'an offset',
      { format: 'datetime' },
      '2026-03-01T09:00:00+01:00',
      'wrong: must be a date and time such as 2026-03-01T09:30:00Z',
    ],
    ['the first day', { format: 'date', min: '2026-01-01' }, '2026-01-01T00:00:00Z', undefined],
    [
      'the day before',
      { format: 'date', min: '2026-01-01' },
      '2025-12-31T00:00:00Z',
      'unfit: must not be before 2026-01-01',
    ],
    [
      'the latest moment',
      { format: 'datetime', max: '2026-01-01T10:00:00Z' },
      '2026-01-01T10:00:00.000000Z',
      undefined,
    ],
    [
      'just after',
      { format: 'datetime', max: '2026-01-01T10:00:00Z' },
      '2026-01-01T10:00:00.000001Z',
      'unfit: must not be after 2026-01-01T10:00:00Z',
    ],
    ['all of the last day', { format: 'datetime', max: '2026-01-01' }, '2026-01-01T23:59:59Z', undefined],
    [
      'after the last day',
      { format: 'datetime', max: '2026-01-01' },
      '2026-01-02T00:00:00Z',
      'unfit: must not be after 2026-01-01',
    ],
    ['now', { format: 'datetime', allowPast: false }, '2026-03-01T12:00:00Z', undefined],
    ['before now', { format: 'datetime', allowPast: false }, '2026-03-01T11:59:59Z', 'unfit: must not be in the past'],
    [
      'after now',
      { format: 'datetime', allowFuture: false },
      '2026-03-01T12:00:01Z',
      'unfit: must not be in the future',
    ],
    ['a time', { format: 'time' }, '23:59', undefined],
    ['a time with seconds', { format: 'time', max: '10:00' }, '10:00:00', undefined],
    ['too late', { format: 'time', min: '08:00', max: '10:00' }, '10:00:01', 'unfit: must be from 08:00 to 10:00'],
    ['an invalid time', { format: 'time' }, '24:00', 'wrong: must be a time of day such as 09:30'],
    ['this minute', { format: 'time', allowPast: false, allowFuture: false }, '12:00', undefined],
    ['the minute before', { format: 'time', allowPast: false }, '11:59', 'unfit: must not be in the past'],
    ['the minute after', { format: 'time', allowFuture: false }, '12:01', 'unfit: must not be in the future'],
    ['an option', yesNo, ['Yes'], undefined],
    ['an unknown option', yesNo, ['Maybe'], 'unfit: must be one of: Yes, No'],
    ['an option as text', yesNo, 'Yes', 'wrong: must be a list of the chosen options'],
    ['a number among options', yesNo, [1], 'wrong: must be a list of the chosen options'],
    ['two of a single choice', yesNo, ['Yes', 'No'], 'unfit: takes one option only'],
    ['the fewest', several, ['A', 'B'], undefined],
    ['too few', several, ['A'], 'unfit: needs at least 2 options'],
    ['the most', several, ['A', 'B', 'C'], undefined],
    ['too many', several, ['A', 'B', 'C', 'D'], 'unfit: takes at most 3 options'],
    ['an option twice', several, ['A', 'A'], 'unfit: takes “A” once only'],
    ['an exclusive one alone', several, ['None'], undefined],
    ['an exclusive one with another', several, ['None', 'A'], 'unfit: takes “None” by itself only'],
    ['all rows', likert, { q1: 0, q2: 1 }, undefined],
    ['some rows', likert, { q1: 0 }, undefined],
    ['an unknown row', likert, { q3: 0 }, 'unfit: has no statement “q3”'],
    ['an inherited name as row', likert, { constructor: 0 }, 'unfit: has no statement “constructor”'],
    ['an unknown point', likert, { q1: 2 }, 'unfit: must be one of: 0, 1 (for “Tired”)'],
    ['a point as text', likert, { q1: '1' }, 'wrong: must be one of: 0, 1 (for “Tired”)'],
    ['not applicable', likert, { q1: null }, 'unfit: cannot be “not applicable” for “Tired”'],
    ['not applicable, allowed', { ...likert, allowNotApplicable: true }, { q1: null }, undefined],
    ['rows as a list', likert, [0, 1], 'wrong: must be an object of answers by statement'],
    ['a table', table, [{ drug: 'Iron', dose: 0 }], undefined],
    ['a table with blanks', table, [{ drug: '', dose: null }, {}], undefined],
    ['a cell outside the limits', table, [{}, { dose: -1 }], 'unfit: row 2, “Dose” must be at least 0'],
    ['a cell of the wrong kind', table, [{ dose: '1' }], 'wrong: row 1, “Dose” must be a number'],
    ['an unknown column', table, [{ unit: 'mg' }], 'unfit: has no column “unit” (row 1)'],
    [
      'a row that is not an object',
      table,
      ['x'],
      'wrong: must be a list of rows, each an object by column (row 1 is not)',
    ],
    ['too many rows', table, [{}, {}, {}], 'unfit: must have at most 2 rows'],
    ['too few rows', { ...table, minRows: 2 }, [{}], 'unfit: must have at least 2 rows'],
    ['a bmi to one decimal', bmi, { bmi: 22.9, height: 175, weight: 70 }, undefined],
    ['a bmi to two decimals', bmi, { bmi: 22.86, height: 175, weight: 70 }, undefined],
    [
      'a bmi that does not follow',
      bmi,
      { bmi: 22.8, height: 175, weight: 70 },
      'unfit: must have the bmi that follows from height and weight, 22.9',
    ],
    ['a height too small', bmi, { height: 99.9, weight: 70 }, 'unfit: must have a height from 100 to 220 cm'],
    ['the least height', bmi, { height: 100, weight: 70 }, undefined],
    ['a weight too great', bmi, { height: 175, weight: 250.1 }, 'unfit: must have a weight from 30 to 250 kg'],
    [
      'metres for centimetres',
      { format: 'bmi' },
      { height: 1.75, weight: 70 },
      'unfit: must have a height from 20 to 300 cm',
    ],
    ['no weight', bmi, { height: 175 }, 'unfit: needs the weight too'],
    ['a height as text', bmi, { height: '175', weight: 70 }, 'wrong: must have a number as height'],
    [
      'something else in a bmi',
      bmi,
      { height: 175, weight: 70, age: 3 },
      'wrong: has no “age”, only height and weight',
    ],
    ['a file', { format: 'file' }, { fileName: 'abc.pdf', name: 'Scan.pdf' }, undefined],
    [
      'a file by name',
      { format: 'image' },
      'abc.png',
      'wrong: must be an uploaded file: an object with fileName and name',
    ],
    [
      'a file without stored name',
      { format: 'video' },
      { name: 'x' },
      'wrong: must be an uploaded file: an object with fileName and name',
    ],
    ['a calculation', { format: 'calculation' }, 1, 'unfit: is computed by the service'],
  ]
  for (const [name, asked, value, expected] of cases) {
    test(`${asked.format}: ${name}`, () => expect(judge(asked, value)).toBe(expected as string))
  }

  test.each([
    // At this moment it is still 28 February in New York, and has been 1 March in Auckland for 13 hours.
    ['2026-02-28T05:00:00Z', 'America/New_York', undefined],
    ['2026-02-28T00:00:00Z', 'America/New_York', undefined],
    ['2026-02-27T05:00:00Z', 'America/New_York', 'unfit: must not be in the past'],
    ['2026-03-01T05:00:00Z', 'America/New_York', 'unfit: must not be in the future'],
    ['2026-02-28T11:00:00Z', 'Pacific/Auckland', undefined],
    ['2026-02-28T10:59:59Z', 'Pacific/Auckland', 'unfit: must not be in the past'],
    ['2026-03-01T00:00:00Z', 'Pacific/Auckland', undefined],
  ])('the day of %s in %s is compared with today in that zone', (value, zone, expected) => {
    const today: FieldSettings = { format: 'date', allowPast: false, allowFuture: false }
    expect(judge(today, value, at('2026-03-01T00:30:00Z', zone))).toBe(expected as string)
  })

  test('every multiple of a decimal step is accepted, and the middle between two is not', () => {
    const steps = fc.constantFrom(0.1, 0.01, 0.05, 0.25, 0.3, 1, 7)
    fc.assert(
      fc.property(steps, fc.integer({ min: -100_000, max: 100_000 }), (step, count) => {
        const check = valueCheck({ format: 'float', step })
        const value = Number((count * step).toFixed(2))
        expect(check(value, noon)).toBeUndefined()
        expect(check(value + step / 2, noon)?.kind).toBe('unfit')
      }),
    )
  })

  test('the check of any JSON returns a result and does not throw', () => {
    const asked: FieldSettings[] = [
      ...formats.map((format): FieldSettings => ({ format })),
      yesNo,
      several,
      likert,
      table,
      bmi,
    ]
    fc.assert(
      fc.property(fc.constantFrom(...asked), fc.jsonValue(), (one, value) => {
        const kept = normalise(one, value)
        if (kept !== undefined) expect(['wrong', 'unfit', undefined]).toContain(valueCheck(one)(kept, noon)?.kind)
      }),
    )
  })
})
