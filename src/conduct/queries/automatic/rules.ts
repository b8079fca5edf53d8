/** Sequences of dates that cannot be, and answers that contradict each other (pure). */

import { answeredDay, dayIn } from '#kernel/calendar'
import type { Id } from '#kernel/id'
import { isSame } from '#kernel/json'
import { parseInstant } from '#kernel/time'

/** What of a data type the rules look at. */
export type Question = {
  _id: Id
  name: string
  /** The variable name, which tells what is asked where the name is in another language. */
  code?: string
  format: string
  unit: string | null
  isRestricted: boolean
  isPii: boolean
  options?: readonly { label: string }[] | null
}
export type Answered = { question: Question; value: unknown }

/**
 * Something that should be asked about. The same rule, field and value are asked about once.
 * `fields` are all that it is about, by `_id` (one without an answer by its code), in any order.
 */
export type Finding = { rule: string; dataType: Id; fields: readonly string[]; value: unknown; text: string }

/**
 * The first finding about each set of fields: one mistake is one query, however many rules see it. So the study's own rules
 * are to come first.
 */
export function oneEach(findings: readonly Finding[]): Finding[] {
  const asked = new Set<string>()
  return findings.filter(({ fields }) => {
    const about = [...new Set(fields)].sort().join()
    return !asked.has(about) && asked.add(about)
  })
}

/** The field that a finding about two is raised on: the more hidden one, as it tells something of both. */
function heldBy(a: Question, b: Question): Id | undefined {
  const covers = (one: Question, other: Question) =>
    (one.isRestricted || !other.isRestricted) && (one.isPii || !other.isPii)
  if (covers(b, a)) return b._id
  return covers(a, b) ? a._id : undefined
}

function about(rule: string, a: Answered, b: Answered, text: string): Finding[] {
  const dataType = heldBy(a.question, b.question)
  const fields = [a.question._id, b.question._id]
  return dataType === undefined ? [] : [{ rule, dataType, fields, value: [a.value, b.value], text }]
}

const words = (...all: string[]) => new RegExp(`\\b(${all.join('|')})\\b`, 'gi')
const STARTS = words('start', 'started', 'begin', 'beginning', 'began', 'onset', 'from', 'admission', 'admitted')
const ENDS = words(
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
const LOWS = words('minimum', 'min', 'lowest', 'diastolic')
const HIGHS = words('maximum', 'max', 'highest', 'systolic')
const FILLERS = words('date', 'day', 'time', 'of', 'the', 'at', 'on', 'when')
const BIRTH = words('birth', 'born', 'dob')
const DEATH = words('death', 'died', 'deceased')
const AHEAD = words('next', 'planned', 'due', 'expected', 'follow-up')
/** Before a birth there is its pregnancy. */
const BEFORE_BIRTH = words(
  'pregnancy',
  'conception',
  'gestation',
  'antenatal',
  'prenatal',
  'maternal',
  'mother',
  'menstruation',
)
const VISIT = words('visit', 'assessment', 'examination', 'sample', 'sampling', 'collection')
const LASTING = words('sex', 'gender', 'birth', 'dob', 'blood group', 'blood type', 'ethnicity', 'race')
const AMOUNT = words(
  'number',
  'how many',
  'how much',
  'amount',
  'units?',
  'per',
  'quantity',
  'count',
  'dose',
  'frequency',
  'severity',
  'years?',
)
const DETAIL = words('details?', 'specify', 'which', 'describe', 'description', 'what')

/** What a question is called: by its name, and by its code in words. */
const labelsOf = ({ name, code = '' }: Question): [string, string] => [
  name,
  code.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '),
]

const says = (pattern: RegExp, question: Question): boolean =>
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
const ends = (answers: readonly Answered[], first: RegExp, second: RegExp): [Answered, Answered][] =>
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

type Dated = Answered & { day: number; moment: number }

function datesIn(answers: readonly Answered[], zone: string): Dated[] {
  return answers.flatMap((answer) => {
    const { question, value } = answer
    const moment = /^date/.test(question.format) && typeof value === 'string' ? parseInstant(value) : undefined
    if (moment === undefined) return []
    return [{ ...answer, moment, day: question.format === 'date' ? answeredDay(moment, zone) : dayIn(moment, zone) }]
  })
}

/** Two moments are told apart to the second, a day and anything else by their days. */
const isBefore = (a: Dated, b: Dated): boolean =>
  a.question.format === 'datetime' && b.question.format === 'datetime' ? a.moment < b.moment : a.day < b.day

const CHECK = 'Please check both with the source.'

/** An earlier answer of the participant to another occurrence of the stage. */
export type Earlier = { stageRecurrence: number; answers: readonly Answered[] }

/**
 * Dates in an order that cannot be: an end before its start, anything before birth or after death, and a visit before the
 * visit that it follows.
 */
export function impossibleDates(
  answers: readonly Answered[],
  zone: string,
  occurrence?: { n: number; others: readonly Earlier[] },
): Finding[] {
  const dates = datesIn(answers, zone)
  const late = (a: Answered, b: Answered, text: string) => about('dateOrder', a, b, `${text} ${CHECK}`)
  const found = ends(dates, STARTS, ENDS).flatMap(([start, end]) =>
    isBefore(end as Dated, start as Dated)
      ? late(start, end, `“${end.question.name}” is before “${start.question.name}”.`)
      : [],
  )
  for (const date of dates.filter(({ question }) => !says(AHEAD, question))) {
    const { question } = date
    for (const other of dates) {
      const isBorn = says(BIRTH, other.question) && !says(BIRTH, question) && !says(BEFORE_BIRTH, question)
      if (isBorn && isBefore(date, other)) found.push(...late(other, date, `“${question.name}” is before birth.`))
      const isDead = says(DEATH, other.question) && !says(DEATH, question)
      if (isDead && isBefore(other, date)) found.push(...late(other, date, `“${question.name}” is after death.`))
    }
  }
  for (const date of dates.filter(({ question }) => says(VISIT, question) && !says(AHEAD, question))) {
    for (const { stageRecurrence, answers: others } of occurrence?.others ?? []) {
      const [other] = datesIn(
        others.filter(({ question }) => question === date.question),
        zone,
      )
      if (!other || stageRecurrence === occurrence!.n) continue
      const [first, second] = stageRecurrence < occurrence!.n ? [other, date] : [date, other]
      if (!isBefore(second, first)) continue
      const which = first === date ? 'after a later' : 'before an earlier'
      found.push(...late(date, other, `“${date.question.name}” is ${which} occurrence’s (${stageRecurrence + 1}).`))
    }
  }
  return found
}

const isNo = (label: string) => /^(no|none|never|nein|non)$/i.test(label.trim())
const isYes = (label: string) => /^(yes|ja|oui|s[ií])$/i.test(label.trim())

/** Whether a yes-or-no question was answered with no. */
const denied = ({ question, value }: Answered): boolean =>
  question.format === 'choice' &&
  (question.options ?? []).some(({ label }) => isYes(label)) &&
  Array.isArray(value) &&
  value.length === 1 &&
  isNo(String(value[0]))

/** The beginning of the longest word of a name: what other names about the same thing have in common with it. */
function root({ name }: Question): string | undefined {
  const [longest = ''] = (name.toLowerCase().match(/\p{L}+/gu) ?? []).sort((a, b) => b.length - a.length)
  return longest.length < 4 ? undefined : longest.slice(0, 4)
}

/** Whether an answer says that there is some of a thing. */
const affirms = ({ question, value }: Answered): boolean =>
  typeof value === 'number'
    ? value > 0 && says(AMOUNT, question)
    : typeof value === 'string' && /^(text|paragraph)$/.test(question.format) && says(DETAIL, question) && !isNo(value)

/** Answers that cannot both be: a low above its high, "no" and yet some, and what never changes answered differently. */
export function contradictions(answers: readonly Answered[], earlier: ReadonlyMap<Id, readonly unknown[]>): Finding[] {
  const found: Finding[] = []
  const against = (a: Answered, b: Answered, text: string) =>
    found.push(...about('contradiction', a, b, `${text} ${CHECK}`))
  const numbers = answers.filter(({ value }) => typeof value === 'number')
  for (const [low, high] of ends(numbers, LOWS, HIGHS)) {
    if ((low.value as number) > (high.value as number)) {
      against(low, high, `“${low.question.name}” is higher than “${high.question.name}”.`)
    }
  }
  for (const no of answers.filter(denied)) {
    const beginning = root(no.question)
    if (beginning === undefined) continue
    for (const some of answers.filter((other) => other.question !== no.question && affirms(other))) {
      const names = some.question.name.toLowerCase().match(/\p{L}+/gu) ?? []
      if (!names.some((word) => word.startsWith(beginning))) continue
      against(no, some, `“${no.question.name}” was answered with no, yet “${some.question.name}” says otherwise.`)
    }
  }
  for (const { question, value } of answers.filter(({ question }) => says(LASTING, question))) {
    const other = (earlier.get(question._id) ?? []).find((before) => !isSame(before, value))
    if (other === undefined) continue
    const text = `“${question.name}” was answered differently before. ${CHECK}`
    found.push({ rule: 'contradiction', dataType: question._id, fields: [question._id], value: [value, other], text })
  }
  return found
}
