/** The study in which the person works, for the frame and all areas. */
import { createContext } from 'preact'
import { useContext, useMemo } from 'preact/hooks'
import type { AnswerOf } from '#web/kit/api/operations'
import type { FailedAnswer } from '#web/kit/api/send'
import { type Place, placeAt, placeOf } from './access'
import { read } from './request'
import { session } from './session'
import type { StudySummary } from './studies'
import { useAnswer } from './useItem'

type Site = AnswerOf<'listSites'>['sites'][number]
type Group = AnswerOf<'listGroups'>['groups'][number]

export type Study = StudySummary & {
  /** Those that the person may list. */
  sites: readonly Site[]
  groups: readonly Group[]
  /** What the person holds in the study, for `may`. Of a thing with sites and groups: `at(thing)`. */
  place: Place
  at(thing: { sites: readonly string[]; groups: readonly string[] }): Place
}

const context = createContext<Study | undefined>(undefined)
export const StudyProvider = context.Provider

/** The study of the page. */
export function useStudy(): Study {
  const study = useContext(context)
  if (!study) throw new Error('An area of a study is shown outside of one.')
  return study
}

type Places = { sites?: readonly Site[] | undefined; groups?: readonly Group[] | undefined }

async function readPlaces(trial: string, signal: AbortSignal) {
  const [sites, groups] = await Promise.all([
    read('listSites', '/trials/:trialId/sites', [trial], undefined, signal),
    read('listGroups', '/trials/:trialId/groups', [trial], undefined, signal),
  ])
  // Who may not list them sees their names nowhere; that is no failure of the page.
  for (const answer of [sites, groups]) if (!answer.isDone && answer.status !== 403) return answer
  const body: Places = {
    sites: sites.isDone ? sites.body.sites : undefined,
    groups: groups.isDone ? groups.body.groups : undefined,
  }
  return { isDone: true as const, body }
}

/** All that areas need of a study, when it is known: names of sites and groups, and what the person may do where. */
export function useStudyOf(summary: StudySummary | undefined): {
  study: Study | undefined
  failure: FailedAnswer | undefined
  reload: () => void
} {
  const id = summary?._id ?? ''
  const { body, failure, reload } = useAnswer(id, id, (signal) => readPlaces(id, signal))
  const user = session.value?.user
  const study = useMemo((): Study | undefined => {
    if (!summary || !body || !user) return undefined
    const { sites, groups } = body
    const known = sites && groups ? new Set([...sites, ...groups].map(({ _id }) => _id)) : undefined
    const place = placeOf(user, { trial: summary._id, team: summary.team, settings: summary.trial, known })
    return { ...summary, sites: sites ?? [], groups: groups ?? [], place, at: (thing) => placeAt(place, thing) }
  }, [summary, body, user])
  return { study, failure, reload }
}
