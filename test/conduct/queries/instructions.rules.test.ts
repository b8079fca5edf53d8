import { describe, expect, test } from 'bun:test'
import { brokenRules, type KnownAnswer } from '#conduct/queries/automatic/instructions'
import { readInstructions } from '#design/configuration/queryRules'
import { operandOf } from '#design/dataTypes/answerOperands'
import { writerFor } from '#texts/writer'

const codes = new Set(['systolic', 'diastolic', 'weight', 'started', 'ended', 'pregnant', 'body'])
const read = (text: string | null) => {
  const { rules, prose } = readInstructions(text, codes)
  return [rules.map(({ line }) => line), prose]
}

const at = { now: 0, zone: 'UTC' }
const formats: Record<string, object> = {
  systolic: { format: 'integer' },
  diastolic: { format: 'integer' },
  weight: { format: 'float' },
  started: { format: 'date' },
  ended: { format: 'date' },
  pregnant: {
    format: 'choice',
    options: [
      { label: 'Ja', code: 1 },
      { label: 'Nein', code: 0 },
    ],
  },
  body: { format: 'bmi' },
}
type Flags = { isRestricted?: boolean; isPii?: boolean; isHere?: boolean }

function known(answers: Record<string, unknown>, flags: Record<string, Flags> = {}) {
  return new Map(
    Object.entries(answers).map(([code, value]): [string, KnownAnswer] => {
      const { isRestricted = false, isPii = false, isHere = true } = flags[code] ?? {}
      const question = { _id: code, name: code, format: 'x', unit: null, isRestricted, isPii }
      const operand = operandOf(formats[code] as never)(value, 'UTC')
      return [code, { question, title: `Title of ${code}`, value, operand, isHere }]
    }),
  )
}

const found = (text: string, answers: Record<string, unknown>, flags?: Record<string, Flags>) =>
  brokenRules(readInstructions(text, codes).rules, known(answers, flags), at)

const day = (text: string) => `${text}T00:00:00.000000Z`

describe('instructions', () => {
  test.each([
    ['systolic > diastolic', true],
    ['- systolic > diastolic.', true],
    ['3. Weight between 30 and 250', true],
    ['ended is after started', true],
    ['ended on or after started', true],
    ['started not after ended', true],
    ['body.height between 100 and 220', true],
    ['not (pregnant = 1 and weight < 40)', true],
    ['weight', false],
    ['weight + 1', false],
    ['1 < 2', false],
    ['height > 100', false],
    ['Ask the nurse who was there', false],
    ['Ask when weight > 100 kg', false],
    ['weight > process', false],
  ])('%s is a rule: %p', (line, isRule) => {
    expect(read(line)).toEqual(isRule ? [[line.replace(/^(- |3\. )/, '').replace(/\.$/, '')], ''] : [[], line])
  })

  test('may mix rules and text', () => {
    expect(read('Look at doses.\n\nsystolic > diastolic\nBe kind.\r\nweight < 300')).toEqual([
      ['systolic > diastolic', 'weight < 300'],
      'Look at doses.\nBe kind.',
    ])
    expect(read(null)).toEqual([[], ''])
  })
})

describe('a rule', () => {
  test.each([
    ['systolic > diastolic', { systolic: 120, diastolic: 80 }, 0],
    ['systolic > diastolic', { systolic: 80, diastolic: 120 }, 1],
    ['systolic > diastolic', { systolic: 80 }, 0],
    ['weight between 30 and 250', { weight: 30 }, 0],
    ['weight between 30 and 250', { weight: 250 }, 0],
    ['weight between 30 and 250', { weight: 29.9 }, 1],
    ['weight between 30 and 250', { weight: 250.1 }, 1],
    ['ended after started', { started: day('2026-03-02'), ended: day('2026-03-02') }, 1],
    ['ended on or after started', { started: day('2026-03-02'), ended: day('2026-03-02') }, 0],
    ['ended before started', { started: day('2026-03-02'), ended: day('2026-03-01') }, 0],
    ['ended after started + 7', { started: day('2026-03-02'), ended: day('2026-03-09') }, 1],
    ['pregnant = 0 or weight > 40', { pregnant: ['Ja'], weight: 35 }, 1],
    ['pregnant = 0 or weight > 40', { pregnant: ['Nein'], weight: 35 }, 0],
    ['body.height between 100 and 220', { body: { height: 90, weight: 80, bmi: 98.8 } }, 1],
  ])('%s of %j: %d', (text, answers, count) => {
    expect(found(text, answers)).toHaveLength(count)
  })

  test('raises a query with the titles of its fields, identified by its line and the answers', () => {
    const [finding] = found('systolic > diastolic', { systolic: 80, diastolic: 120 })
    expect({ ...finding, text: `${finding?.text(writerFor('en'))}` }).toEqual({
      rule: 'instruction',
      dataType: 'diastolic',
      fields: ['systolic', 'diastolic'],
      value: ['systolic > diastolic', [80, 120]],
      text: '“Title of systolic”, “Title of diastolic”: the answers are against this study’s rule “systolic > diastolic”. Please check with the source.',
    })
  })

  test('applies to the fields that it names, answered or not', () => {
    const about = (text: string) => found(text, { systolic: 80, diastolic: 120 }).map(({ fields }) => fields)
    expect(about('diastolic + systolic < diastolic * 1')).toEqual([['diastolic', 'systolic']])
    expect(about('isblank(Systolic) or not isblank(weight)')).toEqual([['systolic', 'weight']])
  })

  test('raises a query on a field that is as hidden as all fields it names, or none', () => {
    const on = (flags: Record<string, Flags>) =>
      found('systolic > diastolic', { systolic: 80, diastolic: 120 }, flags).map(({ dataType }) => dataType)
    expect(on({ systolic: { isRestricted: true } })).toEqual(['systolic'])
    expect(on({ systolic: { isRestricted: true }, diastolic: { isPii: true } })).toEqual([])
    expect(on({ systolic: { isRestricted: true, isPii: true }, diastolic: { isPii: true } })).toEqual(['systolic'])
  })

  test('raises its query on the form that was submitted, if one of its fields belongs to it', () => {
    const elsewhere = { isHere: false }
    const answers = { started: day('2026-03-02'), ended: day('2026-03-01') }
    expect(found('ended after started', answers, { ended: elsewhere })).toMatchObject([{ dataType: 'started' }])
    expect(found('ended after started', answers, { ended: { ...elsewhere, isPii: true } })).toEqual([])
    expect(found('ended after started', answers, { ended: elsewhere, started: elsewhere })).toEqual([])
  })
})
