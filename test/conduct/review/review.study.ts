/** A study for tests of review. */
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

type Study = Awaited<ReturnType<typeof study>>

/** A study with one response, and the response's URL. */
export async function reviewStudy(options: Parameters<typeof study>[0] = {}) {
  const s = await study(options)
  const { body } = await s.enter({ pulse: 72, symptom: 'cough', smoker: ['No'] })
  const at = `/trials/${s.trial}/responses/${body._id}` as const
  return {
    ...s,
    id: body._id as string,
    at,
    marks: async (by = s.owner) => (await by.do('readResponse', s.trial, body._id)).responseValidations[body._id] ?? [],
    events: async (by = s.owner) => (await by.do('readResponseHistory', s.trial, body._id)).events,
  }
}

export const lastEntry = (s: Study) => {
  const { type, event } = entriesOf(s, s.trial).at(-1)!
  return { type, event: JSON.parse(event) }
}
