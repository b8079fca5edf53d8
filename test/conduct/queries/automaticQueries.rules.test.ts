import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { contradictions } from '#conduct/queries/automatic/contradictions'
import { impossibleDates } from '#conduct/queries/automatic/impossibleDates'
import { unusualNumbers } from '#conduct/queries/automatic/numbers'
import type { FieldAnswer, Question } from '#conduct/queries/automatic/rules'
import { isUsual, unitMistakeOf, usualRangeOf } from '#conduct/queries/automatic/usualRange'
import { writerFor } from '#texts/writer'

const english = writerFor('en')

const question = (name: string, format: string, more: Partial<Question> = {}): Question => ({
  _id: name,
  name,
  format,
  unit: null,
  isRestricted: false,
  isPii: false,
  ...more,
})
const date = (name: string, day: string, more: Partial<Question> = {}): FieldAnswer => ({
  question: question(name, 'date', more),
  value: `${day}T00:00:00.000000Z`,
})
const moment = (name: string, value: string): FieldAnswer => ({ question: question(name, 'datetime'), value })
const number = (name: string, value: number, unit: string | null = null): FieldAnswer => ({
  question: question(name, 'float', { unit }),
  value,
})
const choice = (name: string, ...value: string[]): FieldAnswer => ({
  question: question(name, 'choice', { options: [{ label: 'Yes' }, { label: 'No' }] }),
  value,
})

describe('the usual range', () => {
  const pulses = [58, 60, 61, 63, 64, 66, 68, 70, 71, 72, 74, 75, 78, 80, 84]

  test.each([
    [70, true],
    [55, true],
    [95, true],
    [12, false],
    [150, false],
  ])('of pulses: %d is usual: %p', (value, expected) => {
    expect(isUsual(usualRangeOf(pulses, 0.1), value)).toBe(expected)
  })

  test('is not widened by a few odd ones', () => {
    expect(isUsual(usualRangeOf([...pulses, 700, 900], 0.1), 400)).toBe(false)
  })

  test('of equal numbers is a percentage of them', () => {
    const usual = usualRangeOf([50, 50, 50], 0.1)
    expect([usual.from, usual.to]).toEqual([45, 55])
  })

  test('contains the quartiles, and does not depend on order or scale (property)', () => {
    const numbers = fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 1, maxLength: 40 })
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 9 }), (values, factor) => {
        const usual = usualRangeOf(values, 0.1)
        const reversed = usualRangeOf([...values].reverse(), 0.1)
        expect(reversed).toEqual(usual)
        const within = values.filter((value) => isUsual(usual, value))
        expect(within.length * 2).toBeGreaterThanOrEqual(values.length)
        const scaled = usualRangeOf(
          values.map((value) => value * factor),
          0.1,
        )
        expect(scaled.from).toBeCloseTo(usual.from * factor, 6)
        expect(scaled.to).toBeCloseTo(usual.to * factor, 6)
      }),
    )
  })
})

describe('a wrong unit', () => {
  const weights = [70, 71, 70.5]
  test.each([
    [weights, 155, 'kg', 'Weight', 'in pounds instead of kilograms'],
    [[154, 156], 70.5, 'lb', 'Weight', 'in kilograms instead of pounds'],
    [[180, 181], 71, 'cm', 'Height', 'in inches instead of centimetres'],
    [[36.6, 37, 36.8], 98.2, '°C', 'Temperature', 'in °F instead of °C'],
    [[98, 98.6], 36.9, '°F', 'Temperature', 'in °C instead of °F'],
    [[5.2, 5.5], 97, 'mmol/L', 'Glucose', 'in mg/dL instead of mmol/L'],
    [weights, 705, 'kg', 'Weight', 'ten times too large'],
    [weights, 7.1, null, 'Weight', 'ten times too small'],
    [[1.8, 1.81], 181, 'm', 'Height', 'a hundred times too large'],
    [weights, 155, null, 'Score', undefined],
    [weights, 72, 'kg', 'Weight', undefined],
    [weights, 300, 'kg', 'Weight', undefined],
  ])('among %j, %d %s %s: %s', (values, value, unit, name, expected) => {
    const slip = unitMistakeOf(usualRangeOf(values, 0.3), value, { unit, name })
    expect<string | undefined>(slip && english.write(slip, {})).toBe(expected)
  })
})

describe('odd numbers', () => {
  const spread = (from: number, count: number, by = 1) => Array.from({ length: count }, (_, at) => from + at * by)
  const rules = (answer: FieldAnswer, own: number[], all: number[]) =>
    unusualNumbers([answer], {
      own: new Map([[answer.question._id, own]]),
      all: new Map([[answer.question._id, all]]),
    }).map(({ rule }) => rule)

  test.each([
    ['nothing is known', number('Pulse', 500), [], [], []],
    ['too few are known', number('Pulse', 500), [70], spread(60, 29), []],
    ['unusual in the study', number('Pulse', 500), [], spread(60, 30), ['trialRange']],
    [
      'far from their earlier values, but usual in the study',
      number('Pulse', 150),
      [60, 62, 61, 63, 60],
      spread(40, 150),
      ['participantRange'],
    ],
    [
      'near their earlier values, but unusual in the study',
      number('Pulse', 30),
      [30, 31, 30, 29, 30],
      spread(100, 30),
      ['trialRange'],
    ],
    ['pounds after kilograms', number('Weight', 155, 'kg'), [70, 71], [], ['unit']],
    ['usual', number('Pulse', 64), [60, 61, 62, 63, 64], spread(50, 40), []],
  ])('%s', (_, answer, own, all, expected) => {
    expect(rules(answer, own, all)).toEqual(expected)
  })

  test('of a BMI are looked for in height and weight', () => {
    const body: FieldAnswer = { question: question('Body', 'bmi'), value: { height: 71, weight: 81, bmi: 160 } }
    const own = new Map([
      ['Body.height', [180, 180]],
      ['Body.weight', [80, 82]],
    ])
    const [finding, ...others] = unusualNumbers([body], { own, all: new Map() })
    expect([finding, others]).toMatchObject([{ rule: 'unit', value: ['Body.height', 71] }, []])
    expect(finding!.text(english)).toContain('inches')
    expect<string>(finding!.text(writerFor('de'))).toBe(
      '„Body (Größe)“ ist 71. Der Wert wurde vielleicht in Zoll statt in Zentimetern eingegeben. Bitte gleichen Sie den Wert mit den Quelldaten ab.',
    )
  })

  test('are not looked for in answers on scales', () => {
    const pain: FieldAnswer = { question: question('Pain', 'slider'), value: 100 }
    expect(rules(pain, [1, 1, 1, 1, 1], spread(1, 40, 0.01))).toEqual([])
  })
})

describe('dates', () => {
  test.each([
    ['an end before its start', [date('Start date', '2026-03-05'), date('End date', '2026-03-01')], 1],
    ['the same day', [date('Start date', '2026-03-05'), date('End date', '2026-03-05')], 0],
    ['in order', [date('Admission date', '2026-03-01'), date('Discharge date', '2026-03-04')], 0],
    ['discharged before admitted', [date('Admission date', '2026-03-04'), date('Discharge date', '2026-03-01')], 1],
    ['of different things', [date('Start of pain', '2026-03-05'), date('End of fever', '2026-03-01')], 0],
    [
      'moments of one day',
      [moment('Infusion start', '2026-03-05T10:00:00Z'), moment('Infusion end', '2026-03-05T09:00:00Z')],
      1,
    ],
    ['a moment and its day', [moment('Infusion start', '2026-03-05T10:00:00Z'), date('Infusion end', '2026-03-05')], 0],
    [
      'called so by their codes only',
      [
        date('Datum der Aufnahme', '2026-03-04', { code: 'admission_date' }),
        date('Datum der Entlassung', '2026-03-01', { code: 'dischargeDate' }),
      ],
      1,
    ],
    [
      'codes of different things',
      [date('A', '2026-03-04', { code: 'pain_start' }), date('B', '2026-03-01', { code: 'fever_end' })],
      0,
    ],
    ['before birth', [date('Date of birth', '1990-01-02'), date('Diagnosis', '1989-01-01')], 1],
    ['a pregnancy before birth', [date('Date of birth', '1990-01-02'), date('Conception', '1989-04-01')], 0],
    ['after death', [date('Date of death', '2026-01-02'), date('Visit day', '2026-02-01')], 1],
    ['planned after death', [date('Date of death', '2026-01-02'), date('Next visit', '2026-02-01')], 0],
  ])('%s: %#', (_, answers, count) => {
    expect(impossibleDates(answers, 'UTC')).toHaveLength(count)
  })

  test('of visits must be in the order of the occurrences', () => {
    const visit = question('Visit day', 'date')
    const on = (day: string): FieldAnswer[] => [{ question: visit, value: `${day}T00:00:00Z` }]
    const found = (n: number, day: string, ...others: [number, string][]) =>
      impossibleDates(on(day), 'UTC', {
        n,
        others: others.map(([n, day]) => ({ stageRecurrence: n, answers: on(day) })),
      })
    expect(found(1, '2026-03-08', [0, '2026-03-01'], [2, '2026-03-15'])).toEqual([])
    expect(found(1, '2026-02-08', [0, '2026-03-01'])).toMatchObject([{ rule: 'dateOrder', dataType: 'Visit day' }])
    expect(found(1, '2026-04-08', [2, '2026-03-15'])).toHaveLength(1)
    expect(found(1, '2026-03-01', [1, '2026-05-01'])).toEqual([])
  })

  test('between two fields is raised on the field that fewer people see, or not at all', () => {
    const fields = (a: Partial<Question>, b: Partial<Question>) =>
      impossibleDates([date('Start date', '2026-03-05', a), date('End date', '2026-03-01', b)], 'UTC').map(
        ({ dataType }) => dataType,
      )
    expect(fields({}, {})).toEqual(['End date'])
    expect(fields({ isRestricted: true }, {})).toEqual(['Start date'])
    expect(fields({}, { isPii: true })).toEqual(['End date'])
    expect(fields({ isRestricted: true }, { isRestricted: true, isPii: true })).toEqual(['End date'])
    expect(fields({ isRestricted: true }, { isPii: true })).toEqual([])
  })
})

describe('contradictions', () => {
  const text = (name: string, value: string): FieldAnswer => ({ question: question(name, 'text'), value })
  test.each([
    ['diastolic above systolic', [number('Systolic pressure', 80), number('Diastolic pressure', 120)], 1],
    ['diastolic below systolic', [number('Systolic pressure', 120), number('Diastolic pressure', 80)], 0],
    ['a minimum above its maximum', [number('Pain, minimum', 7), number('Pain, maximum', 5)], 1],
    ['of other things', [number('Minimum pain', 7), number('Maximum pulse', 5)], 0],
    ['no smoker, and cigarettes', [choice('Smoker', 'No'), number('Cigarettes smoked per day', 5)], 1],
    ['no smoker, and no cigarettes', [choice('Smoker', 'No'), number('Cigarettes smoked per day', 0)], 0],
    ['a smoker', [choice('Smoker', 'Yes'), number('Cigarettes smoked per day', 5)], 0],
    ['no allergy, and which', [choice('Any allergies', 'No'), text('Which allergies', 'Penicillin')], 1],
    ['no allergy, and “none”', [choice('Any allergies', 'No'), text('Which allergies', 'none')], 0],
    ['no allergy, and other details', [choice('Any allergies', 'No'), text('Details of the visit', 'fine')], 0],
  ])('%s: %#', (_, answers, count) => {
    expect(contradictions(answers, new Map())).toHaveLength(count)
  })

  test('with an earlier answer that cannot change', () => {
    const sex: FieldAnswer = { question: question('Sex', 'choice'), value: ['Female'] }
    expect(contradictions([sex], new Map([['Sex', [['Female'], ['Female']]]]))).toEqual([])
    expect(contradictions([sex], new Map([['Sex', [['Female'], ['Male']]]]))).toHaveLength(1)
    const mood: FieldAnswer = { question: question('Mood', 'choice'), value: ['Good'] }
    expect(contradictions([mood], new Map([['Mood', [['Bad']]]]))).toEqual([])
  })
})
