/** The answers of the people in the demo study: they get better over the weeks, with random variation. */
import { DAY, type Instant, instantText } from '#kernel/time'
import type { Code } from './dataTypes'
import type { Person } from './people'

export type Answers = Partial<Record<Code, unknown>>

/** Makes the answers to one form. @param at when it is filled in; @param day days since the person enrolled */
type AnswerMaker = (person: Person, at: Instant, day: number) => Answers

const within = (low: number, high: number, value: number) => Math.max(low, Math.min(high, value))
const rounded = (value: number, decimals = 0) => Number(value.toFixed(decimals))

/** How ill the person is on a day, from 0 to 3. */
const illness = ({ random, illness, weeklyImprovement }: Person, day: number) =>
  within(0, 3, illness - (weeklyImprovement * day) / 7 + random.unit() * 0.9 - 0.45)

const point = (person: Person, level: number) => rounded(within(0, 3, level + person.random.unit() * 1.2 - 0.6))
const rating = (person: Person, day: number) => rounded(within(1, 5, 5 - illness(person, day) * 1.5))
const quality = (person: Person, day: number) => rounded(within(5, 98, 92 - illness(person, day) * 24))
const yesNo = (is: boolean) => [is ? 'Yes' : 'No']
const dayText = (at: Instant) => `${instantText(at).slice(0, 10)}T00:00:00Z`

const spirometry = (person: Person, day: number) => {
  const fev1 = person.healthyFev1 * (1 - illness(person, day) * 0.09)
  return { fev1: rounded(fev1, 2), fvc: rounded(fev1 / (0.79 - illness(person, day) * 0.05), 2) }
}

const COMMENTS = [
  'The cold air in the morning is the worst.',
  'I was away for two days and forgot my inhaler.',
  'Much better since I use the spacer.',
  'The pollen is starting.',
]
const comment = ({ random }: Person) => (random.chance(0.15) ? { comment: random.pick(COMMENTS) } : {})

const MEDICATION = [
  { drug: 'Budesonide', dose: 200, taken: ['Twice a day'] },
  { drug: 'Salbutamol', dose: 100, taken: ['As needed'] },
  { drug: 'Montelukast', dose: 10_000, taken: ['Once a day'] },
]

const EVENTS = ['Headache', 'Common cold', 'Sore throat', 'Hoarseness', 'Chest infection', 'Fall at home']

const enrolment: AnswerMaker = (person, at, day) => {
  const { random } = person
  const smoking = random.pick(['Never', 'Never', 'Formerly', 'Currently'])
  return {
    sex: [person.sex],
    ...(random.chance(0.6) ? { contact_email: `${person.participantId.toLowerCase()}@example.org` } : {}),
    body: { height: person.height, weight: person.weight },
    diagnosed_on: dayText(at - random.whole(300, 7000) * DAY),
    triggers: random.chance(0.1)
      ? ['None']
      : [random.pick(['Pollen', 'House dust']), random.pick(['Cold air', 'Exercise', 'Pets'])],
    smoking: [smoking],
    ...(smoking === 'Currently' ? { smoking_years: random.whole(2, 30) } : {}),
    medication: MEDICATION.slice(0, random.whole(1, MEDICATION.length)),
    ...spirometry(person, day),
    treatment_code: [person.arm === '#plan' ? 'A' : 'B'],
  }
}

const baseline: AnswerMaker = (person, _, day) => ({
  phq2: { interest: point(person, person.illness * 0.6), mood: point(person, person.illness * 0.5) },
  control: rating(person, day),
  quality_of_life: quality(person, day),
  ...comment(person),
})

const diary: AnswerMaker = (person, _, day) => {
  const { random } = person
  const level = illness(person, day)
  const woken = random.chance(level / 5)
  return {
    symptoms: {
      cough: point(person, level),
      wheeze: point(person, level * 0.9),
      breath: point(person, level * 0.8),
      chest: point(person, level * 0.6),
    },
    woken: yesNo(woken),
    ...(woken ? { woken_at: `0${random.whole(1, 5)}:${random.pick(['00', '15', '30', '45'])}` } : {}),
    puffs: rounded(level * random.whole(1, 3)),
    ...(random.chance(0.85) ? { peak_flow: rounded((person.healthyFev1 * 150 - level * 30) / 10) * 10 } : {}),
  }
}

const weekly: AnswerMaker = (person, _, day) => ({
  control: rating(person, day),
  days_missed: person.random.chance(0.25) ? rounded(illness(person, day)) : 0,
  quality_of_life: quality(person, day),
  ...comment(person),
})

const visit2: AnswerMaker = (person, at, day) => ({
  measured_at: instantText(at),
  ...spirometry(person, day),
  body: { height: person.height, weight: person.weight + person.random.whole(-3, 2) },
})

const followUp: AnswerMaker = (person, _, day) => ({
  control: rating(person, day),
  quality_of_life: quality(person, day),
  satisfaction: person.random.whole(3, 5),
  continues: yesNo(person.random.chance(0.85)),
})

const adverseEvent: AnswerMaker = ({ random }, at) => {
  const severity = random.pick(['Mild', 'Mild', 'Moderate', 'Severe'])
  const isSerious = severity === 'Severe'
  return {
    event_term: random.pick(EVENTS),
    event_began: dayText(at - random.whole(1, 3) * DAY),
    event_severity: [severity],
    event_serious: yesNo(isSerious),
    ...(isSerious ? { event_reasons: ['Medically important'] } : {}),
    event_outcome: [random.pick(['Recovered', 'Recovering'])],
  }
}

/** Each form by the name of its stage. */
export const answersByForm = { enrolment, baseline, diary, weekly, visit2, followUp, adverseEvent } satisfies Record<
  string,
  AnswerMaker
>
export type Form = keyof typeof answersByForm

/** Between how many hours after its opening a form is filled in, and whether a nurse does it. */
export const completionTimes: Record<
  Exclude<Form, 'enrolment' | 'adverseEvent'>,
  { after: [number, number]; byNurse?: true }
> = {
  baseline: { after: [0, 2] },
  diary: { after: [0, 5] },
  weekly: { after: [1, 50] },
  visit2: { after: [0, 72], byNurse: true },
  followUp: { after: [1, 200] },
}
