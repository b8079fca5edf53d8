/** Every problem with an answer has its code, and its text in each language. */
import { describe, expect, test } from 'bun:test'
import type { FieldSettings } from '#design/dataTypes/model'
import { valueCheck } from '#design/dataTypes/values'
import { DAY } from '#kernel/time'
import { ar } from '#texts/answers/ar'
import { de } from '#texts/answers/de'
import { type AnswerTexts, answerTexts } from '#texts/answers/en'
import { es } from '#texts/answers/es'
import { fr } from '#texts/answers/fr'
import { problemText } from '#texts/answers/problemText'
import { placeholdersIn } from '#texts/catalogue'

const languages: [string, AnswerTexts][] = [
  ['German', de],
  ['French', fr],
  ['Spanish', es],
  ['Arabic', ar],
]

describe.each(languages)('in %s', (_, texts) => {
  test('every code has its text, in the same order, with the same parameters, and is translated', () => {
    expect(Object.keys(texts)).toEqual(Object.keys(answerTexts))
    for (const [code, english] of Object.entries(answerTexts)) {
      const text = texts[code as keyof AnswerTexts]
      expect([code, placeholdersIn(text)]).toEqual([code, placeholdersIn(english)])
      expect([code, text === english || text.trim() !== text || text.endsWith('.')]).toEqual([code, false])
    }
  })

  test('a problem is written with its parameters', () => {
    const check = valueCheck({ format: 'text', maxLength: 1 } as FieldSettings)
    const problem = check('ab', { now: DAY, zone: 'UTC' })!
    expect(problemText(problem, texts)).toBe(texts['tooLong.one'].replace('{count}', '1'))
  })
})

const at = { now: 100 * DAY, zone: 'UTC' }
const rows = { format: 'table', columns: [{ id: 'dose', label: 'Dose', format: 'integer', min: 1 }] }
const cases: [object, unknown, string, object][] = [
  [{ format: 'integer', min: 30, max: 220 }, 500, 'between', { min: 30, max: 220 }],
  [{ format: 'integer', min: 30 }, 5, 'tooSmall', { min: 30 }],
  [{ format: 'integer' }, 'x', 'notNumber', {}],
  [{ format: 'float', decimals: 1 }, 1.25, 'decimals', { count: 1 }],
  [{ format: 'slider', min: 0, step: 5 }, 7, 'step', { step: 5, from: 0 }],
  [{ format: 'date', allowPast: false }, '1970-01-02T00:00:00Z', 'past', {}],
  [{ format: 'text', pattern: '[A-Z]+' }, 'a', 'pattern', { pattern: '[A-Z]+' }],
  [{ format: 'choice', options: [{ label: 'Yes' }] }, ['No'], 'noOption', { options: 'Yes' }],
  [{ format: 'bmi' }, { height: 180 }, 'weightMissing', {}],
  [rows, [{ dose: 0 }], 'cell', { row: 1, column: 'Dose' }],
]
test.each(cases)('%j refuses %j with %s', (settings, answer, code, params) => {
  expect(valueCheck(settings as FieldSettings)(answer, at)).toMatchObject({ code, params })
})

test('the problem of a cell is written inside that of its table, in each language', () => {
  const problem = valueCheck(rows as FieldSettings)([{ dose: 0 }], at)!
  expect(problem.problem).toBe('row 1, “Dose” must be at least 1')
  expect(problemText(problem, de)).toBe('Zeile 1, „Dose“ muss mindestens 1 sein')
})
