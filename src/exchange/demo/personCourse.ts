/** The course of the demo study for one person. */

import { changeParticipant } from '#conduct/participants/updateStore'
import type { QueryStatus } from '#conduct/queries/model'
import type { ResponseRow } from '#conduct/responses/store'
import { timelineInput } from '#conduct/timeline/progress'
import { rowById } from '#db/rows'
import { participants } from '#db/tables/index'
import { timelineOf } from '#design/schedule/rules'
import type { Id } from '#kernel/id'
import { DAY, HOUR, type Instant, MINUTE } from '#kernel/time'
import {
  changePerson,
  type DemoStudy,
  raiseQuery,
  registerPerson,
  setAnchorDate,
  signIn,
  submitAnswers,
  verifyResponse,
  writeMessage,
} from './actions'
import { answersByForm, completionTimes, type Form } from './answers'
import { type Conversation, conversations } from './conversations'
import type { Person } from './people'

/** Days after enrolment on which people leave, by how they leave. */
const LEAVING_DAYS = { withdraws: 12, archived: 5 }

/** One person's course in the study. */
type PersonCourse = DemoStudy & { person: Person; participant: Id; enrolledAt: Instant; until: Instant }

/** Stores everything that a person did from their enrolment until now. */
export function simulatePerson(study: DemoStudy, person: Person): void {
  const { random, outcome } = person
  const arrival = study.now - (study.now % DAY) - person.daysAgo * DAY + 9 * HOUR + random.whole(0, 40) * MINUTE
  const participant = registerPerson(study, person, arrival)
  if (outcome === 'placeholder') return
  const enrolledAt = arrival + random.whole(20, 60) * MINUTE
  const leavesAt =
    outcome in LEAVING_DAYS ? enrolledAt + LEAVING_DAYS[outcome as keyof typeof LEAVING_DAYS] * DAY : study.now
  const course = { ...study, person, participant, enrolledAt, until: Math.min(leavesAt, study.now) }
  enrol(course)
  if (outcome !== 'absent') signIn(study, participant, enrolledAt + random.whole(60, 300) * MINUTE)
  answerAll(course)
  if (person.conversation) writeConversation(course, person.conversation)
  if (leavesAt < study.now) leave(course, leavesAt)
}

function leave(course: PersonCourse, at: Instant): void {
  changePerson(
    course,
    course.participant,
    course.person.outcome === 'withdraws' ? { isWithdrawn: true } : { isArchived: true },
    at,
  )
}

const stageOf = ({ names }: DemoStudy, form: Form): Id => names.get(`#${form}`)!

/** A person's answers to a form at a moment. */
const answersTo = ({ person, enrolledAt }: PersonCourse, form: Form, at: Instant) =>
  answersByForm[form](person, at, Math.max(0, (at - enrolledAt) / DAY))

/** The enrolment form. At one site its answers are verified against their source; some raise a query. */
function enrol(course: PersonCourse): void {
  const { person, participant, enrolledAt, now, names } = course
  setAnchorDate(course, participant, names.get('#enrolled')!, enrolledAt)
  const answers = answersTo(course, 'enrolment', enrolledAt)
  const row = submitAnswers(
    course,
    participant,
    { stage: stageOf(course, 'enrolment'), stageRecurrence: 0, answers, at: enrolledAt },
    false,
  )
  if (person.site === '#riverside' && enrolledAt + 7 * DAY < now)
    verifyResponse(course, participant, row, enrolledAt + 7 * DAY)
  if (person.query) raiseEnrolmentQuery(course, row, person.query, enrolledAt + 2 * DAY)
}

/** The texts of queries by final status: the one who raises a query is not the one who answers it. */
const QUESTIONS = {
  answered: {
    field: '#body',
    rule: 'trialRange',
    text: 'The weight is far from what is usual in this study. Please check it with the source.',
    reply: 'Checked: the weight is right.',
  },
  closed: {
    field: '#fev1',
    rule: null,
    text: 'Was the best of three blows entered?',
    reply: 'The nurse says that it was.',
  },
  open: { field: '#medication', rule: null, text: 'Is the dose for each intake or for the day?', reply: '' },
}

function raiseEnrolmentQuery(course: PersonCourse, row: ResponseRow, status: QueryStatus, at: Instant): void {
  const { field, ...texts } = QUESTIONS[status]
  raiseQuery(course, course.participant, row, {
    ...texts,
    dataType: course.names.get(field)!,
    status,
    at,
    repliedAt: at + 26 * HOUR,
  })
}

/** Writes what the person and the team wrote to each other. */
function writeConversation(course: PersonCourse, name: Conversation): void {
  for (const { by, text, hoursAgo } of conversations[name])
    writeMessage(course, course.participant, { by, text, at: course.now - hoursAgo * HOUR })
}

/** Answers what is open in the timeline, and repeats this as long as the answers open more. */
function answerAll(course: PersonCourse): void {
  const { db, now, trial, participant, configuration, person } = course
  const forms = new Map(
    (Object.keys(completionTimes) as (keyof typeof completionTimes)[]).map((form) => [stageOf(course, form), form]),
  )
  const met = new Set<string>()
  let lastSeenAt = 0
  for (let opened = -1; opened !== met.size; ) {
    opened = met.size
    const row = rowById(db, participants, participant)!
    for (const { _id, stage, stageRecurrence, enableAt, adHoc } of timelineOf(
      configuration.timeline,
      timelineInput(db, row, trial, now),
    )) {
      const form = forms.get(stage)
      if (!form || adHoc || enableAt === null || met.has(_id)) continue
      met.add(_id)
      const { after, byNurse = false } = completionTimes[form]
      const at = enableAt + Math.round((after[0] + person.random.unit() * (after[1] - after[0])) * HOUR)
      if (at >= course.until || !person.random.chance(person.answerProbability)) continue
      const entry = { stage, stageRecurrence: stageRecurrence ?? 0, at }
      submitAnswers(course, participant, { ...entry, answers: answersTo(course, form, at) }, !byNurse)
      if (!byNurse) lastSeenAt = Math.max(lastSeenAt, at)
      if (form === 'diary') afterDiary(course, entry)
    }
  }
  if (lastSeenAt) changeParticipant(db, participant, { lastSeenAt })
}

/** Sometimes adds an adverse event, or a correction on the next day. */
function afterDiary(
  course: PersonCourse,
  { at, ...occurrence }: { stage: Id; stageRecurrence: number; at: Instant },
): void {
  const { person, participant, until } = course
  const { random } = person
  const nextDay = at + 15 * HOUR
  const [isIll, isWrong] = [random.chance(0.02), random.chance(0.03)]
  if (nextDay >= until) return
  if (isIll) {
    const answers = answersTo(course, 'adverseEvent', nextDay)
    submitAnswers(
      course,
      participant,
      { stage: stageOf(course, 'adverseEvent'), answers, at: nextDay },
      random.chance(0.5),
    )
  }
  if (isWrong) {
    const updateNote = 'The participant rang: the number of puffs was wrong.'
    submitAnswers(
      course,
      participant,
      { ...occurrence, answers: { puffs: random.whole(9, 14) }, at: nextDay, updateNote },
      false,
    )
  }
}
