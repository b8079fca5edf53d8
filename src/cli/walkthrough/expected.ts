/**
 * What the service must do for a plan, besides storing answers. It is calculated from the plan alone, in days, without code of
 * the service. Staff act and messages are sent in the morning, participants answer in the evening.
 */
import { BORN, REMINDER, URGENT_FROM } from './instruments'
import type { Person, Plan } from './plan'
import { stageTitle } from './record'

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0)

/** The times of a day, as fractions of it. */
const HOURS = { morning: 0.4, noon: 0.5, evening: 0.75 }

/** When the forms of each week were filled in, in days; weeks without answers are missing. */
function completionTimes({ acts }: Plan, person: Person): Map<number, number> {
  const done = new Map<number, number>()
  for (const act of acts) {
    if (act.person === person && (act.kind === 'answer' || act.kind === 'telephone'))
      done.set(act.week, act.day + HOURS[act.when])
  }
  return done
}

/** The day on whose morning the person leaves the study. */
const leavingDay = ({ acts }: Plan, person: Person): number =>
  acts.find((act) => act.person === person && (act.kind === 'withdraw' || act.kind === 'archive'))?.day ?? Infinity

/** The fields of a message that are compared. */
export type Message = { channel: string; recipient: string | null; subject: string; body: string; isReached: boolean }

/**
 * All messages to a participant. The PHQ-9 reminds on the second morning after it opened, after the amendment
 * on the first one; for a GAD-7 not filled in on its first day, an e-mail is sent on the next, to those who have an address.
 */
export function messagesTo(plan: Plan, person: Person, trialName: string): Message[] {
  const { email, phone } = person
  const [done, leaves] = [completionTimes(plan, person), leavingDay(plan, person)]
  const messages: Message[] = []
  for (let week = 0; week < plan.weeks; week++) {
    const opens = person.enrolsOn + 7 * week
    const isWaiting = (morning: number) => (done.get(week) ?? Infinity) > morning && leaves >= morning
    if (isWaiting(opens + (opens < plan.amendedOn ? 2 : 1))) {
      const [channel, recipient] = phone ? (['sms', phone] as const) : (['email', email ?? null] as const)
      const { title, body } = REMINDER
      messages.push({ channel, recipient, subject: title, body, isReached: recipient !== null })
    }
    if (email && isWaiting(opens + 1)) {
      const body = `“${stageTitle.gad7(week)}” is waiting for your answers.`
      messages.push({ channel: 'email', recipient: email, subject: trialName, body, isReached: true })
    }
  }
  return messages
}

/** A task that a score triggers: once, at the first submission or at the correction that reaches the limit. */
export type Task = { participantId: string; title: string; day: number }

export function tasks({ acts, corrections, days }: Plan, trialName: string): Task[] {
  const asTask = ({ participantId }: Person, week: number, day: number) => {
    const title = `${trialName}: “${stageTitle.phq9(week)}” of participant ${participantId}`
    return { participantId, title, day }
  }
  const list: Task[] = []
  for (const act of acts) {
    if (act.kind !== 'answer' && act.kind !== 'telephone') continue
    const score = sum(act.answers.phq9)
    if (score >= URGENT_FROM) list.push(asTask(act.person, act.week, act.day))
    const late = corrections.find((each) => each.person === act.person && each.week === act.week)
    if (late?.instrument !== 'phq9' || score >= URGENT_FROM) continue
    if (sum(act.answers.phq9.with(late.statement, late.value)) >= URGENT_FROM) {
      list.push(asTask(act.person, act.week, days + 1))
    }
  }
  return list
}

/** The progress of a person at noon of the day of the amendment. @param weeks how many weeks are planned */
export function progressAtAmendment(plan: Plan, person: Person, weeks: number) {
  const today = plan.amendedOn
  const done = completionTimes(plan, person)
  const isDone = (week: number) => (done.get(week) ?? Infinity) < today + HOURS.noon
  let [completed, behind] = [0, 0]
  for (let week = 0; week < weeks; week++) {
    const opens = person.enrolsOn + 7 * week
    if (isDone(week)) completed += 2
    else behind += Number(opens < today) + Number(opens + 4 <= today) // the GAD-7 that evening, the PHQ-9 as it closes
  }
  return { ratioComplete: completed / (2 * weeks), stagesBehindSchedule: behind }
}

/** The people whose year of birth makes the check of answers raise a query. */
export const peopleWithAgeQuery = ({ people }: Plan): Person[] =>
  people.filter(({ birthYear }) => birthYear < BORN.from || birthYear > BORN.to)
