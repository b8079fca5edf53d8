/** What the service accepted, written down beside it: the exports at the end must say the same. */
import type { Person } from './plan'

/** The stages by the key under which the ledger knows them. */
export type StageKey = 'enrolment' | 'phq9' | 'gad7' | 'adverse'

export const stageTitle: Record<StageKey, (n: number) => string> = {
  enrolment: () => 'Enrolment visit',
  phq9: (n) => `PHQ-9, week ${n + 1}`,
  gad7: (n) => `GAD-7, week ${n + 1}`,
  adverse: () => 'Adverse event',
}

/** A response as it must be in an export: its answers by column. */
export type Entry = {
  person: Person
  stage: StageKey
  n: number
  response: string
  columns: Record<string, string | number>
  /** Undefined where the stage does not score. */
  score: number | undefined
  /** What the monitor made of it. */
  status?: 'successful'
}

export type Ledger = {
  entries: Map<string, Entry>
  /** Submissions that were accepted, amendments included. */
  submissions: { user: number; participant: number }
  /** Refusals that were meant to be. */
  refusals: number
  /** Those of them that were staff’s and a 403: the log tells each. */
  accessRefused: number
}

export const emptyLedger = (): Ledger => ({
  entries: new Map(),
  submissions: { user: 0, participant: 0 },
  refusals: 0,
  accessRefused: 0,
})

/** The name of a response, as a row of an export has it too. */
export const entryKey = (participantId: string, title: string, n: number) => `${participantId} · ${title} · ${n}`

/** Writes a response down, or what it is after an amendment. @param by whose submission it was; nobody's where it was none */
export function enter(ledger: Ledger, entry: Entry, by?: 'user' | 'participant'): void {
  const { person, stage, n } = entry
  ledger.entries.set(entryKey(person.participantId, stageTitle[stage](n), n), entry)
  if (by) ledger.submissions[by]++
}

/** A questionnaire's answers by column, and their total. */
export function scored(code: 'phq9' | 'gad7', answers: readonly number[]) {
  const score = answers.reduce((sum, value) => sum + value, 0)
  const columns: Record<string, number> = { [`${code}_total`]: score }
  answers.forEach((value, n) => {
    columns[`${code}_q${n + 1}`] = value
  })
  return { columns, score }
}
