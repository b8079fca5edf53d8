/** What questions are called, and which are about two ends of the same thing (pure). */
import type { Answered, Question } from './rules'

/** Any of these words. */
export const words = (...all: string[]) => new RegExp(`\\b(${all.join('|')})\\b`, 'gi')

const FILLERS = words('date', 'day', 'time', 'of', 'the', 'at', 'on', 'when')

/** What a question is called: by its name, and by its code in words. */
const labelsOf = ({ name, code = '' }: Question): [string, string] => [
  name,
  code.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
]

/** Whether a question is called so. */
export const says = (pattern: RegExp, question: Question): boolean =>
  labelsOf(question).some((label) => label.search(pattern) >= 0)

/** What a label is about, without the words that make it one end of something. */
const subject = (label: string, ends: RegExp): string =>
  label
    .replace(ends, ' ')
    .replace(FILLERS, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

/** Pairs of answers that are two ends of the same thing. */
export const ends = (answers: readonly Answered[], first: RegExp, second: RegExp): [Answered, Answered][] =>
  answers.flatMap((one) =>
    answers
      .filter((other) => other !== one && areEnds(one.question, other.question, first, second))
      .map((other): [Answered, Answered] => [one, other]),
  )

/** Whether both are called by their names, or both by their codes, the two ends of the same thing. */
function areEnds(one: Question, other: Question, first: RegExp, second: RegExp): boolean {
  const others = labelsOf(other)
  return labelsOf(one).some((label, at) => {
    const otherLabel = others[at]!
    return (
      label.search(first) >= 0 &&
      otherLabel.search(second) >= 0 &&
      subject(label, first) === subject(otherLabel, second)
    )
  })
}
