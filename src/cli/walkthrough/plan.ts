/** The plan of the made-up study: who takes part, and what each person does on which day. */
import { type Random, randomFrom } from '#kernel/random'
import { gad7, phq9 } from './instruments'

export const SITES = [
  { id: 'LDN', name: 'London, Riverside Practice', addressCity: 'London', addressCountry: 'United Kingdom' },
  { id: 'MAN', name: 'Manchester, Canal Street Surgery', addressCity: 'Manchester', addressCountry: 'United Kingdom' },
  { id: 'GLA', name: 'Glasgow, Kelvin Health Centre', addressCity: 'Glasgow', addressCountry: 'United Kingdom' },
] as const

export const ARMS = ['Guided self-help', 'Usual care'] as const

/** A person, with the answers at enrolment. */
export type Person = {
  participantId: string
  site: number
  arm: number
  /** The day of enrolment, from 0. */
  enrolsOn: number
  signsInBy: 'password' | 'grant'
  /** How they can be contacted: by one of the two, or not at all. */
  email?: string
  phone?: string
  sex: string
  birthYear: number
  postcode: string
  height: number
  weight: number
}

/** A week's answers, in the order of the statements. */
export type Answers = { phq9: number[]; gad7: number[] }

type ActKind =
  | { kind: 'answer'; week: number; answers: Answers; isWrongAtFirst: boolean }
  | { kind: 'tooLate'; week: number }
  | { kind: 'telephone'; week: number; answers: Answers }
  | { kind: 'withdraw' }
  | { kind: 'withdrawn'; week: number }
  | { kind: 'archive' }
  | { kind: 'adverse'; term: string; severity: string; isSerious: boolean }

/** What a person does on a day, or what staff do about them. Staff act in the morning, participants in the evening. */
export type Act = ActKind & { person: Person; day: number; when: 'morning' | 'evening' }

/** One wrong answer that is found and corrected late. */
export type Correction = { person: Person; week: number; instrument: 'phq9' | 'gad7'; statement: number; value: number }

export type Plan = {
  weeks: number
  /** Days until everything except the corrections is done. */
  days: number
  /** The day of the amendment: at noon the study becomes a week longer and its reminders a day earlier. */
  amendedOn: number
  people: Person[]
  acts: Act[]
  corrections: Correction[]
}

const POSTCODES = ['SE1 9GF', 'N16 8QP', 'M4 6DE', 'M15 5RF', 'G12 8QQ', 'G3 8AG']
const EVENTS = ['Headache', 'Nausea', 'Dizziness', 'Insomnia', 'Fall at home', 'Chest infection']
const ENROLMENT_DAYS = 5

/** Answers around a level from 0 (well) to 3 (very unwell). */
const around = (random: Random, level: number, statements: number): number[] =>
  Array.from({ length: statements }, () => Math.max(0, Math.min(3, Math.round(level + random.unit() * 1.6 - 0.8))))

/**
 * Plans a study. Most people take part from the first to the last week and get better, more so in the first arm; some
 * answer by telephone after the window has closed, some not at all, some withdraw, a few were registered by mistake.
 * @param size number of participants
 */
export function planStudy(size: number, weeks: number, seed: number): Plan {
  const random = randomFrom(seed)
  const plan: Plan = {
    weeks,
    days: weeks * 7,
    amendedOn: Math.floor(weeks / 2) * 7 - 1,
    people: [],
    acts: [],
    corrections: [],
  }
  for (let n = 0; n < size; n++) {
    const site = n % SITES.length
    const participantId = `${SITES[site]!.id}-${String(Math.floor(n / SITES.length) + 1).padStart(3, '0')}`
    const person: Person = {
      participantId,
      ...contact(participantId, n),
      site,
      arm: random.whole(0, 1),
      enrolsOn: n % ENROLMENT_DAYS,
      signsInBy: n % 2 === 0 ? 'password' : 'grant',
      sex: random.pick(['Female', 'Male', 'Female', 'Male', 'Intersex', 'Prefer not to say']),
      birthYear: random.whole(1938, 2006),
      postcode: random.pick(POSTCODES),
      height: random.whole(150, 196),
      weight: random.whole(48, 118),
    }
    plan.people.push(person)
    planPerson(plan, person, random, n)
  }
  plan.acts.sort((a, b) => a.day - b.day)
  return plan
}

/** Of every five people, two have an e-mail address, two a telephone number (reserved for fiction), and one neither. */
function contact(participantId: string, n: number): Pick<Person, 'email' | 'phone'> {
  const turn = (n + Math.floor(n / 5)) % 5 // shifted on each day of enrolment
  if (turn < 2) return { email: `${participantId.toLowerCase()}@example.org` }
  return turn < 4 ? { phone: `+447700900${String(n % 1000).padStart(3, '0')}` } : {}
}

/** Plans the acts of one person. Every kind of act occurs among the first few people, however small the study. */
function planPerson({ acts, corrections, weeks }: Plan, person: Person, random: Random, n: number): void {
  const add = (day: number, when: Act['when'], act: ActKind) => acts.push({ ...act, person, day, when })
  const isMistake = n % 67 === 5
  const lastWeek = n % 17 === 3 && weeks > 1 ? random.whole(1, weeks - 1) : weeks
  const start = 1.1 + random.unit() * 1.4
  const gain = (person.arm === 0 ? 0.22 : 0.1) * (0.5 + random.unit())
  for (let week = 0; week < weeks; week++) {
    const opens = person.enrolsOn + 7 * week
    const level = Math.max(0.1, start - gain * week)
    const answers = {
      phq9: around(random, level, phq9.statements.length),
      gad7: around(random, level * 0.9, gad7.statements.length),
    }
    if (week === lastWeek) {
      add(opens, 'morning', { kind: 'withdraw' })
      add(opens, 'evening', { kind: 'withdrawn', week })
      return
    }
    const luck = week === 0 ? 1 : random.unit()
    if (luck < 0.05) continue
    if ((luck < 0.12 || (n === 0 && week === 1)) && opens + 6 < weeks * 7) {
      add(opens + 5, 'evening', { kind: 'tooLate', week })
      add(opens + 6, 'morning', { kind: 'telephone', week, answers })
    } else {
      const day = opens + (week === 0 ? 0 : random.whole(0, 2))
      add(day, 'evening', { kind: 'answer', week, answers, isWrongAtFirst: (n + week) % 23 === 0 })
    }
    if (isMistake) {
      add(opens + 1, 'morning', { kind: 'archive' })
      return
    }
    if (random.chance(0.03) || (n === 2 && week === 0)) corrections.push(correction(person, week, answers, random))
    if (random.chance(0.02) || (n === 0 && week === 0)) {
      const severity = random.pick(['Mild', 'Moderate', 'Severe'])
      const event = { term: random.pick(EVENTS), severity, isSerious: severity === 'Severe' }
      add(opens + 1, 'morning', { kind: 'adverse', ...event })
    }
  }
}

function correction(person: Person, week: number, answers: Answers, random: Random): Correction {
  const instrument = random.pick(['phq9', 'gad7'] as const)
  const statement = random.whole(0, answers[instrument].length - 1)
  return { person, week, instrument, statement, value: (answers[instrument][statement]! + random.whole(1, 3)) % 4 }
}
