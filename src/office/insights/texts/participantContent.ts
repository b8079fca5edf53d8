/**
 * What an AI endpoint is sent about a participant (pure): statistics of fields that are neither restricted nor personal. No ID, no
 * `_id`, no date and no text that anybody answered: days count from the registration.
 */
import { DAY, type Instant } from '#kernel/time'
import type { ParticipantNumbers } from '#office/insights/participant'
import { withoutPersonal } from './personalNumbers'

/** The latest values of a measure that are sent. */
const MOST_VALUES = 30

type Course = ParticipantNumbers['scores'][number]
type Counts = { due: number; onTime: number; late: number; missed: number }

const counts = ({ due, onTime, late, missed }: Counts) => ({ due, onTime, late, missed })

/** @param registeredAt the day that counts as day 0 */
function courseToSend(
  { n, median, change, trend, outliers, values }: Omit<Course, 'stage' | 'name'>,
  registeredAt: Instant,
) {
  const dayOf = (at: Instant) => Math.floor((at - registeredAt) / DAY)
  return {
    n,
    median,
    change,
    trendPerWeek: trend,
    outliers: outliers.map(({ at, value, score }) => ({ day: dayOf(at), value, score })),
    values: values.slice(-MOST_VALUES).map(({ at, value }) => ({ day: dayOf(at), value })),
  }
}

/** @param personal the ID of the participant, what they are called and how they can be reached: measures with one as a number are left out */
export function participantContent(numbers: ParticipantNumbers, registeredAt: Instant, personal: readonly string[]) {
  const { completeness, adherence, timeToAnswer, measures, scores, dropout } = numbers
  const { by, periods, ...overall } = adherence
  return {
    completeness,
    adherence: { ...counts(overall), by, periods: periods.map(counts) },
    hoursToAnswer: timeToAnswer,
    measures: withoutPersonal(
      measures.map(({ name, unit, ...course }) => ({ name, unit, ...courseToSend(course, registeredAt) })),
      personal,
    ),
    scores: scores.map(({ name, ...course }) => ({ form: name, ...courseToSend(course, registeredAt) })),
    dropout: {
      level: dropout.level,
      reasons: dropout.reasons.map(({ rule, numbers }) => ({ rule, numbers })),
    },
  }
}
