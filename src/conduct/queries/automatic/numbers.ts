/** Numbers that are unusual for the participant or the trial, or look like a mistake of unit (pure). */
import type { Writer } from '#texts/writer'
import type { FieldAnswer, Finding, Question } from './rules'
import { areSteady, isFar, isUsual, unitMistakeOf, usualRangeOf } from './usualRange'

/** A number in an answer. A BMI has two: `of` says which. */
type MeasuredNumber = { key: string; value: number; name: string; of?: keyof typeof partNames; unit: string | null }

const measured = new Set(['integer', 'float', 'measurements'])

/** The measured numbers in an answer. Sliders, ratings and calculations have none. */
export function measuredNumbersOf({ _id, format, name, unit }: Question, value: unknown): MeasuredNumber[] {
  if (measured.has(format)) return typeof value === 'number' ? [{ key: _id, value, name, unit }] : []
  if (format !== 'bmi' || typeof value !== 'object' || value === null) return []
  const { height, weight } = value as Record<string, unknown>
  const part = (of: keyof typeof partNames, value: unknown, unit: string): MeasuredNumber[] =>
    typeof value === 'number' ? [{ key: `${_id}.${of}`, value, name, of, unit }] : []
  return [...part('height', height, 'cm'), ...part('weight', weight, 'kg')]
}

/** Earlier numbers by `Part.key`: of the participant, and of all participants lately. */
export type EarlierNumbers = { own: ReadonlyMap<string, number[]>; all: ReadonlyMap<string, number[]> }

/** How many earlier numbers each check needs. Two of the participant's own are enough to see a wrong unit. */
const OWN_FOR_UNIT = 2
/** A misplaced decimal point needs more, as some amounts really become ten times as large. */
const FOR_SCALE = 4
const OWN = 5
const ALL = 30

/** The rules of this file. A number raises one query only, even if another of these rules finds it later. */
export const NUMBER_RULES: ReadonlySet<string> = new Set(['unit', 'participantRange', 'trialRange'])

/** The unusual numbers in a response, at most one finding for each number. */
export function unusualNumbers(answers: readonly FieldAnswer[], { own, all }: EarlierNumbers): Finding[] {
  return answers.flatMap(({ question, value }) =>
    measuredNumbersOf(question, value).flatMap((part): Finding[] => {
      const found = findUnusual(part, own.get(part.key) ?? [], all.get(part.key) ?? [])
      return found ? [{ ...found, dataType: question._id, fields: [question._id], value: [part.key, part.value] }] : []
    }),
  )
}

/** The indexes of numbers that may be unusual among the others: a quick check, which `oddNumbers` must confirm. */
export function unusualIndexes(column: readonly (number | undefined)[]): number[] {
  const numbers = column.filter((number) => number !== undefined)
  if (numbers.length <= ALL) return []
  const usual = usualRangeOf(numbers, 0.1)
  return [...column.keys()].filter((place) => {
    const number = column[place]
    return number !== undefined && !isUsual(usual, number)
  })
}

/** The middle four fifths of the numbers. */
function middleOf(numbers: readonly number[]): number[] {
  const sorted = [...numbers].sort((a, b) => a - b)
  const cut = Math.floor(sorted.length / 10)
  return sorted.slice(cut, sorted.length - cut)
}

const partNames = { height: 'automaticQuery.height', weight: 'automaticQuery.weight' } as const
const farTexts = {
  participantRange: 'automaticQuery.participantRange',
  trialRange: 'automaticQuery.trialRange',
} as const

/** How a query names a number. */
const nameOf = ({ name, of }: MeasuredNumber, { write }: Writer): string => (of ? write(partNames[of], { name }) : name)

function findUnusual(
  part: MeasuredNumber,
  own: readonly number[],
  all: readonly number[],
): Pick<Finding, 'rule' | 'text'> | undefined {
  const { value } = part
  const far = (rule: keyof typeof farTexts): Pick<Finding, 'rule' | 'text'> => ({
    rule,
    text: (writer) => writer.write(farTexts[rule], { name: nameOf(part, writer), value }),
  })
  // A count has no unit that could be wrong, and numbers that vary widely do not show a mistake.
  const known = own.length >= OWN_FOR_UNIT ? own : all.length >= ALL ? all : []
  const isSteady = part.unit && known.length && areSteady(known === all ? middleOf(all) : own)
  const slip = isSteady ? unitMistakeOf(usualRangeOf(known, 0.3), value, part, known.length >= FOR_SCALE) : undefined
  if (slip) {
    const text: Finding['text'] = (writer) =>
      writer.write('automaticQuery.unit', { name: nameOf(part, writer), value, slip: writer.write(slip, {}) })
    return { rule: 'unit', text }
  }
  if (isFar(own, 0.5, OWN, value)) return far('participantRange')
  return isFar(all, 0.1, ALL, value) ? far('trialRange') : undefined
}
