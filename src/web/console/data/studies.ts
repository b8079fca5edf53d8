/** The studies of the person. They are read once, and again when their page is opened. */
import { signal } from '@preact/signals'
import type { AnswerOf } from '#web/kit/api/operations'
import type { Answer, FailedAnswer } from '#web/kit/api/send'
import { read } from './request'

type Summary = AnswerOf<'listTrials'>['trials'][number]
export type Trial = AnswerOf<'readTrial'>

/** A study in a list. */
export type StudySummary = Summary & {
  team: string
  teamName: string
  /** What stands in the address: the code; for who may not read the settings of the study, its `_id`. */
  segment: string
  /** Its settings, if the person may read them. */
  trial: Trial | undefined
}

type Studies = { list?: readonly StudySummary[]; failure?: FailedAnswer | undefined; isLoading: boolean }

export const studies = signal<Studies>({ isLoading: false })

/** Studies of which nobody knows more than the person may read. The API lists them without codes and locks. */
async function ofTeam({
  _id: team,
  name: teamName,
}: AnswerOf<'listTeams'>['teams'][number]): Promise<Answer<StudySummary[]>> {
  const answer = await read('listTrials', '/teams/:teamId/trials', [team])
  if (!answer.isDone) return answer
  const body = await Promise.all(
    answer.body.trials.map(async (summary): Promise<StudySummary> => {
      const settings = await read('readTrial', '/trials/:trialId', [summary._id])
      const trial = settings.isDone ? settings.body : undefined
      return { ...summary, team, teamName, trial, segment: trial?.code ?? summary._id }
    }),
  )
  return { isDone: true, body }
}

/** Reads the studies of all teams of the person. What is known stays until the answer. */
export async function loadStudies(): Promise<void> {
  if (studies.peek().isLoading) return
  studies.value = { ...studies.peek(), failure: undefined, isLoading: true }
  const teams = await read('listTeams', '/teams', [])
  if (!teams.isDone) return fail(teams)
  const lists = await Promise.all(teams.body.teams.map(ofTeam))
  const list: StudySummary[] = []
  for (const each of lists) {
    if (!each.isDone) return fail(each)
    list.push(...each.body)
  }
  studies.value = { list, isLoading: false }
}

function fail(failure: FailedAnswer): void {
  studies.value = { ...studies.peek(), failure, isLoading: false }
}

/** The study of an address. Codes are unique on a server. */
export const studyAt = (list: readonly StudySummary[], segment: string): StudySummary | undefined =>
  list.find((each) => each.segment === segment) ?? list.find((each) => each._id === segment)
