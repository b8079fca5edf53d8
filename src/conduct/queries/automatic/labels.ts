/** Names of questions, and pairs of questions about two ends of the same thing (pure). */
import type { FieldAnswer, Question } from './rules'

/** A pattern that matches any of these words. */
export const wordPattern = (...all: string[]) => new RegExp(`\\b(${all.join('|')})\\b`, 'gi')

const FILLERS = wordPattern('date', 'day', 'time', 'of', 'the', 'at', 'on', 'when')

/** The two labels of a question: its name, and its code split into words. */
const labelsOf = ({ name, code = '' }: Question): [string, string] => [
  name,
  code.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
]

/** Whether a label of the question matches the pattern. */
export const isCalled = (pattern: RegExp, question: Question): boolean =>
  labelsOf(question).some((label) => label.search(pattern) >= 0)

/** The subject of a label, without the words that make it one end of something. */
const subject = (label: string, ends: RegExp): string =>
  label
    .replace(ends, ' ')
    .replace(FILLERS, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
    .toLowerCase()

/** Pairs of answers that are the two ends of the same thing, such as start and end. */
export const pairsOf = (answers: readonly FieldAnswer[], first: RegExp, second: RegExp): [FieldAnswer, FieldAnswer][] =>
  answers.flatMap((one) =>
    answers
      .filter((other) => other !== one && areEnds(one.question, other.question, first, second))
      .map((other): [FieldAnswer, FieldAnswer] => [one, other]),
  )

/** Whether the names of both questions, or the codes of both, are the two ends of the same thing. */
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
