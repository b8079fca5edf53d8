/** A placeholder with a response, which the tests of allocations start from. */
import { expect } from 'bun:test'
import { study } from '../../study'

/** A study in which Carl is a placeholder, with a response of his. */
export async function placeholderStudy(stage: Record<string, unknown> = {}) {
  const s = await study({ stage })
  await s.owner.do('updateParticipant', s.trial, s.carl, { isUnallocated: true })
  const { body } = await s.enter({ pulse: 72 }, {}, s.owner, s.url(s.carl))
  const at = `/trials/${s.trial}/responses/${body._id}` as const
  const counts = () =>
    s.db.$client.query('SELECT id, responseCount AS n FROM participants WHERE responseCount > 0 ORDER BY id').all()
  return {
    ...s,
    id: body._id as string,
    at,
    counts,
    give: (to: string, by = s.owner) => by.call('POST', `${at}/allocations?participant=${to}`),
    take: (of = '', by = s.owner) => by.call('DELETE', `${at}/allocations?participant=${of}`),
  }
}

export type PlaceholderStudy = Awaited<ReturnType<typeof placeholderStudy>>

/** Removes the participant from the response, as a poll's response has none. */
export async function detachResponse(s: PlaceholderStudy) {
  await s.give(s.bert)
  expect((await s.take()).status).toBe(200)
  return s
}
