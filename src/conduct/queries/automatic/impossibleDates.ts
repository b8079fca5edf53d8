/** Dates in an impossible order (pure). */

import { dayIn, dayOfAnswer } from '#kernel/calendar'
import { parseInstant } from '#kernel/time'
import { isCalled, pairsOf, wordPattern } from './labels'
import { type FieldAnswer, type Finding, findingAbout, type QuestionText } from './rules'

const STARTS = wordPattern('start', 'started', 'begin', 'beginning', 'began', 'onset', 'from', 'admission', 'admitted')
const ENDS = wordPattern(
  'end',
  'ended',
  'ending',
  'stop',
  'stopped',
  'until',
  'to',
  'resolution',
  'resolved',
  'discharge',
  'discharged',
)
const BIRTH = wordPattern('birth', 'born', 'dob')
const DEATH = wordPattern('death', 'died', 'deceased')
/** Dates that are planned, and may be after anything. */
const PLANNED = wordPattern('next', 'planned', 'due', 'expected', 'follow-up')
/** Dates of a pregnancy may be before the birth. */
const BEFORE_BIRTH = wordPattern(
  'pregnancy',
  'conception',
  'gestation',
  'antenatal',
  'prenatal',
  'maternal',
  'mother',
  'menstruation',
)
const VISIT = wordPattern('visit', 'assessment', 'examination', 'sample', 'sampling', 'collection')

type DateAnswer = FieldAnswer & { day: number; moment: number }

function datesIn(answers: readonly FieldAnswer[], zone: string): DateAnswer[] {
  return answers.flatMap((answer) => {
    const { question, value } = answer
    const moment = /^date/.test(question.format) && typeof value === 'string' ? parseInstant(value) : undefined
    if (moment === undefined) return []
    return [{ ...answer, moment, day: question.format === 'date' ? dayOfAnswer(moment, zone) : dayIn(moment, zone) }]
  })
}

/** Compares two date-times to the second, and anything else by day. */
const isBefore = (a: DateAnswer, b: DateAnswer): boolean =>
  a.question.format === 'datetime' && b.question.format === 'datetime' ? a.moment < b.moment : a.day < b.day

/** An earlier answer of the participant to another occurrence of the stage. */
export type EarlierAnswers = { stageRecurrence: number; answers: readonly FieldAnswer[] }

/**
 * Dates in an impossible order: an end before its start, anything before birth or after death, and a visit before an earlier
 * occurrence of the same visit.
 * @param occurrence which occurrence of a repeated stage the answers are from, with the answers of the others
 */
export function impossibleDates(
  answers: readonly FieldAnswer[],
  zone: string,
  occurrence?: { n: number; others: readonly EarlierAnswers[] },
): Finding[] {
  const dates = datesIn(answers, zone)
  const wrongOrder = (a: FieldAnswer, b: FieldAnswer, text: QuestionText) => findingAbout('dateOrder', a, b, text)
  const found = pairsOf(dates, STARTS, ENDS).flatMap(([start, end]) =>
    isBefore(end as DateAnswer, start as DateAnswer)
      ? wrongOrder(start, end, ({ write }) =>
          write('automaticQuery.before', { name: end.question.name, other: start.question.name }),
        )
      : [],
  )
  for (const date of dates.filter(({ question }) => !isCalled(PLANNED, question))) {
    const { question } = date
    const { name } = question
    for (const other of dates) {
      const isBorn = isCalled(BIRTH, other.question) && !isCalled(BIRTH, question) && !isCalled(BEFORE_BIRTH, question)
      if (isBorn && isBefore(date, other))
        found.push(...wrongOrder(other, date, ({ write }) => write('automaticQuery.beforeBirth', { name })))
      const isDead = isCalled(DEATH, other.question) && !isCalled(DEATH, question)
      if (isDead && isBefore(other, date))
        found.push(...wrongOrder(other, date, ({ write }) => write('automaticQuery.afterDeath', { name })))
    }
  }
  for (const date of dates.filter(({ question }) => isCalled(VISIT, question) && !isCalled(PLANNED, question))) {
    for (const { stageRecurrence, answers: others } of occurrence?.others ?? []) {
      const [other] = datesIn(
        others.filter(({ question }) => question === date.question),
        zone,
      )
      if (!other || stageRecurrence === occurrence!.n) continue
      const [first, second] = stageRecurrence < occurrence!.n ? [other, date] : [date, other]
      if (!isBefore(second, first)) continue
      const which = first === date ? 'automaticQuery.afterLater' : 'automaticQuery.beforeEarlier'
      const about = { name: date.question.name, occurrence: stageRecurrence + 1 }
      found.push(...wrongOrder(date, other, ({ write }) => write(which, about)))
    }
  }
  return found
}
