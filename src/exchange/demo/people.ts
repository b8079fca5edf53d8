/** The people of the demo study and the course of each: the same every time. */

import type { QueryStatus } from '#conduct/queries/model'
import { type Random, randomFrom } from '#kernel/random'
import type { Conversation } from './conversations'

export type Person = {
  participantId: string
  name: string
  /** `YYYY-MM-DD` */
  dob: string
  site: '#riverside' | '#canal' | '#kelvin'
  arm: '#plan' | '#usual'
  /** How many days ago they enrolled. */
  daysAgo: number
  /** The course: a placeholder is not registered as a person yet, an absent person never signs in to the app. */
  outcome: 'takesPart' | 'withdraws' | 'archived' | 'absent' | 'placeholder'
  /** The status of the query about their enrolment; undefined if there is none. */
  query: QueryStatus | undefined
  /** What they and the team write to each other; undefined if nothing. */
  conversation: Conversation | undefined
  sex: string
  height: number
  weight: number
  /** How ill they are when they enrol, from 0 to 3, and how much better they get each week. */
  illness: number
  weeklyImprovement: number
  /** The probability that they answer a form, from 0 to 1. */
  answerProbability: number
  /** Their FEV1 in litres when they are well. */
  healthyFev1: number
  /** Their own random numbers, for their answers. */
  random: Random
}

const FIRST = ['Alma', 'Bela', 'Cyrus', 'Dina', 'Edwin', 'Fay', 'Gregor', 'Hana', 'Ivo', 'Juno', 'Kofi', 'Lena', 'Milo']
const LAST = ['Quill', 'Marlow', 'Okoro', 'Penn', 'Sorrel', 'Tamsin', 'Underhill', 'Vance', 'Wren', 'Yarrow', 'Zeller']
const SITES = [
  { site: '#riverside', prefix: 'RIV' },
  { site: '#canal', prefix: 'CAN' },
  { site: '#kelvin', prefix: 'KEL' },
] as const

const PEOPLE = 40
const SEED = 20_260_301

const outcomes: Record<number, Person['outcome']> = {
  ...{ 4: 'withdraws', 11: 'withdraws', 22: 'withdraws' },
  7: 'archived',
  ...{ 14: 'absent', 27: 'absent', 38: 'absent' },
  ...{ 19: 'placeholder', 33: 'placeholder' },
}

const queries: Record<number, QueryStatus> = {
  ...{ 3: 'answered', 9: 'answered', 21: 'answered' },
  ...{ 1: 'closed', 12: 'closed', 25: 'closed' },
  ...{ 6: 'open', 17: 'open', 29: 'open', 35: 'open' },
}

const conversationByPerson: Record<number, Conversation> = { 2: 'visit', 10: 'meter', 15: 'inhaler', 24: 'holiday' }

/** All people in the order of enrolment: one every day or two, over the last two months. */
export function people(): Person[] {
  const random = randomFrom(SEED)
  return Array.from({ length: PEOPLE }, (_, n) => {
    const { site, prefix } = SITES[n % SITES.length]!
    const arm = random.chance(0.5) ? '#plan' : '#usual'
    const height = random.whole(152, 193)
    const birth = [random.whole(1948, 2004), random.whole(10, 12), random.whole(10, 28)]
    return {
      participantId: `${prefix}-${String(Math.floor(n / SITES.length) + 1).padStart(3, '0')}`,
      name: `${FIRST[n % FIRST.length]} ${LAST[n % LAST.length]}`,
      dob: birth.join('-'),
      site,
      arm,
      daysAgo: 60 - Math.round(n * 1.45),
      outcome: outcomes[n] ?? 'takesPart',
      query: queries[n],
      conversation: conversationByPerson[n],
      sex: random.pick(['Female', 'Male', 'Female', 'Male', 'Intersex', 'Prefer not to say']),
      height,
      weight: random.whole(52, 112),
      illness: 1.2 + random.unit() * 1.3,
      weeklyImprovement: (arm === '#plan' ? 0.26 : 0.1) * (0.5 + random.unit()),
      answerProbability: 0.68 + random.unit() * 0.3,
      healthyFev1: height / 50 - random.unit(),
      random: randomFrom(SEED + n + 1),
    }
  })
}
