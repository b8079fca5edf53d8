/** How often the rules are wrong: for 200 people with realistic answers, and then with typical mistakes. */
import { expect, test } from 'bun:test'
import { unusualNumbers } from '#conduct/queries/automatic/numbers'
import type { FieldAnswer } from '#conduct/queries/automatic/rules'

/** A random number generator that returns the same numbers in every run. */
function chance(seed: number) {
  let state = seed
  const next = () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
  const bell = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next())
  return { next, bell }
}

const { next, bell } = chance(11)
const tenths = (value: number) => Math.round(value * 10) / 10
const count = (value: number) => Math.max(0, Math.round(value))
const grown = (middle: number, spread: number) => middle * Math.exp(spread * bell())

type Measure = { name: string; unit: string | null; person: () => number; visit: (own: number) => number }
const measures: Measure[] = [
  { name: 'Weight', unit: 'kg', person: () => 75 + 14 * bell(), visit: (own) => tenths(own * (1 + 0.015 * bell())) },
  { name: 'Systolic', unit: 'mmHg', person: () => 128 + 14 * bell(), visit: (own) => count(own + 8 * bell()) },
  { name: 'Temperature', unit: '°C', person: () => 36.7, visit: (own) => tenths(own + 0.3 * bell()) },
  { name: 'Glucose', unit: 'mmol/L', person: () => grown(5.4, 0.15), visit: (own) => tenths(grown(own, 0.08)) },
  { name: 'CRP', unit: 'mg/L', person: () => 1.8, visit: (own) => tenths(grown(own, 1)) },
  { name: 'Ferritin', unit: 'µg/L', person: () => grown(90, 0.8), visit: (own) => tenths(grown(own, 0.15)) },
  {
    name: 'Cigarettes',
    unit: null,
    person: () => (next() < 0.25 ? 12 : 0),
    visit: (own) => (own ? count(own + 3 * bell()) : 0),
  },
  { name: 'Times woken', unit: null, person: () => 1, visit: (own) => count(grown(own, 0.7)) },
  {
    name: 'Minutes of pain',
    unit: null,
    person: () => 60,
    visit: (own) => (next() < 0.7 ? 0 : count(grown(own, 0.9))),
  },
]

test('realistic answers rarely raise a query, and mistakes nearly always do', () => {
  let asked = 0
  let total = 0
  const missed: string[] = []
  let mistakes = 0
  for (const { name, unit, person, visit } of measures) {
    const people = Array.from({ length: 200 }, () => ({ own: person(), values: [] as number[] }))
    const question = { _id: name, name, format: 'float', unit, isRestricted: false, isPii: false }
    const all: number[] = []
    const odd = (value: number, own: number[]) => {
      const answer: FieldAnswer = { question, value }
      return (
        unusualNumbers([answer], { own: new Map([[name, own]]), all: new Map([[name, all.slice(-300)]]) }).length > 0
      )
    }
    for (let round = 0; round < 8; round++) {
      for (const { own, values } of people) {
        const value = visit(own)
        total++
        if (odd(value, values)) asked++
        values.push(value)
        all.push(value)
      }
    }
    for (const { values } of people) {
      for (const wrong of { Weight: [2.20462, 10, 0.1], Systolic: [10, 0.1], Temperature: [10], Glucose: [10, 18.016] }[
        name
      ] ?? []) {
        mistakes++
        const value = tenths(values.at(-1)! * wrong)
        if (!odd(value, values)) missed.push(`${name} ${value}`)
      }
    }
  }
  expect(total).toBe(14_400)
  expect(asked / total).toBeLessThan(0.01)
  expect(missed.length / mistakes).toBeLessThan(0.02)
})
