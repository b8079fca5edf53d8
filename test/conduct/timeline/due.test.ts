import { expect, test } from 'bun:test'
import { dueParticipants, timelineDataOf } from '#conduct/timeline/store'
import { scheduleStudy } from '../calendar/schedule.study'

test('participants who are due come with the same data as a look-up of each of them', async () => {
  const { db, owner, at, people, stages, surgery } = await scheduleStudy()
  const of = (n: number) => `${at}/participants/${people[n]!}` as const
  for (const n of [0, 1, 2])
    await owner.put<'enterResponse'>(`${of(0)}/responses/${stages.diary}::${n}` as const, { response: {} })
  await owner.put<'setAnchorDate'>(`${of(1)}/anchors/${surgery}` as const, { datetime: '2026-03-10T08:00:00Z' })
  const moved = { stage: stages.diary, stageRecurrence: 3, enableAt: '2026-03-12T08:00:00Z' }
  expect((await owner.call('POST', `${of(2)}/stageOverrides`, moved)).status).toBe(200)
  db.$client.run('UPDATE participants SET progressDueAt = 0')
  const due = dueParticipants(db, 1)
  expect(due.map(({ participant }) => participant._id).toSorted()).toEqual(people.toSorted())
  for (const { participant, data } of due)
    expect([participant._id, data]).toEqual([participant._id, timelineDataOf(db, participant._id, false)])
  const all = due.map(({ data }) => data)
  // Each kind of data is there for somebody, so that the comparison can fail.
  expect(all.filter(({ completions }) => completions.size === 3)).toHaveLength(1)
  for (const has of ['sites', 'groups', 'overrides'] as const)
    expect([has, all.some(({ [has]: list }) => list.length > 0)]).toEqual([has, true])
  expect(all.some(({ anchors }) => anchors.size > 0)).toBe(true)
})
