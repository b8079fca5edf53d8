/** A study with automatic queries, which their tests start from. */
import { study } from '../../study'

export const INSTRUCTIONS = 'Ask the nurse who was there.'

/** A study with automatic queries, and the queries raised so far. */
export async function automaticQueryStudy(change: Record<string, unknown> = {}) {
  const s = await study({ stage: { adHoc: true } })
  const nurse = s.staff(s.trial, ['trial.write'])
  await s.owner.do('updateTrial', s.trial, {
    smartAutomaticQueriesEnabled: true,
    smartAutomaticQueryAssignees: [nurse._id],
    smartAutomaticQueryInstructions: INSTRUCTIONS,
    ...change,
  })
  return {
    ...s,
    nurse,
    weigh: async (weight: number, of = s.anna) => {
      const bmi = Math.round((weight / 1.8 ** 2) * 10) / 10
      return (await s.enter({ body: { height: 180, weight, bmi } }, {}, s.owner, s.url(of))).body
    },
    found: async () => {
      await s.service.services.tick()
      return (await s.owner.do('listQueries', s.trial)).queries
    },
  }
}
