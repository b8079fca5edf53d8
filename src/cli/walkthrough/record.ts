/** A record of what the service accepted, kept outside it: the exports at the end must agree with it. */
import type { Person } from './plan'

/** The keys of the stages. */
export type StageKey = 'enrolment' | 'phq9' | 'gad7' | 'adverse'

export const stageTitle: Record<StageKey, (n: number) => string> = {
  enrolment: () => 'Enrolment visit',
  phq9: (n) => `PHQ-9, week ${n + 1}`,
  gad7: (n) => `GAD-7, week ${n + 1}`,
  adverse: () => 'Adverse event',
}

/** A response as an export must show it: its answers by column. */
export type Entry = {
  person: Person
  stage: StageKey
  n: number
  response: string
  columns: Record<string, string | number>
  /** Undefined if the stage has no score. */
  score: number | undefined
  /** The status that the monitor gave it. */
  status?: 'successful'
}

export type SubmissionRecord = {
  entries: Map<string, Entry>
  /** Number of accepted submissions, amendments included. */
  submissions: { user: number; participant: number }
  /** Number of expected refusals. */
  refusals: number
  /** How many of them were a 403 for staff: the event log records each. */
  accessRefused: number
}

export const emptyRecord = (): SubmissionRecord => ({
  entries: new Map(),
  submissions: { user: 0, participant: 0 },
  refusals: 0,
  accessRefused: 0,
})

/** The key of a response; the columns of a row in an export give the same. */
export const entryKey = (participantId: string, title: string, n: number) => `${participantId} · ${title} · ${n}`

/** Records a response, new or amended. @param by who submitted it; undefined if it was no submission */
export function recordResponse(record: SubmissionRecord, entry: Entry, by?: 'user' | 'participant'): void {
  const { person, stage, n } = entry
  record.entries.set(entryKey(person.participantId, stageTitle[stage](n), n), entry)
  if (by) record.submissions[by]++
}

/** A questionnaire's answers by column, and their total. */
export function scoreAnswers(code: 'phq9' | 'gad7', answers: readonly number[]) {
  const score = answers.reduce((sum, value) => sum + value, 0)
  const columns: Record<string, number> = { [`${code}_total`]: score }
  answers.forEach((value, n) => {
    columns[`${code}_q${n + 1}`] = value
  })
  return { columns, score }
}
