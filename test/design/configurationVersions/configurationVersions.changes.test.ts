import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { changesBetween } from '#design/configurationVersions/changes'
import { hashOf } from '#design/configurationVersions/hash'
import type { Snapshot } from '#design/configurationVersions/model'
import { firstOf, present } from '../../present'
import { runs } from '../../proof'
import { configured, nothing, stages } from './configurationVersions.study'

test('the changes between two versions have names, in both directions', async () => {
  const { owner, id, first, second, dataTypes, components } = await configured()
  await owner.do('createConfigurationVersion', id)
  const [pulse, mass] = components
  const renamed = { ...mass, title: 'Body mass' }
  await owner.do('updateStage', first, { name: 'Baseline', components: [renamed, pulse], isRecurring: false })
  await owner.do('updateDataType', dataTypes.pulse, { min: 30 })
  const third = await owner.do('createStage', id, { name: 'Visit 3', index: 0 })
  await owner.do('deleteStage', second)
  await owner.do('updateTrial', id, { signatureMeanings: ['Approved'], behindScheduleNotices: ['email'] })
  const { snapshot } = await owner.do('createConfigurationVersion', id)
  const { snapshot: old } = await owner.do('readConfigurationVersion', id, '1')
  const changes = present((await owner.do('readConfigurationVersion', id, '2', { against: 1 })).changes)
  expect(changes).toEqual([
    { path: 'dataTypes["pulse"].min', kind: 'changed', before: null, after: 30 },
    { path: 'stages["Visit 2"]', kind: 'removed', before: old.stages[1], after: null },
    { path: 'stages["Visit 3"]', kind: 'added', before: null, after: snapshot.stages[0] },
    { path: 'stages["Visit 1"].name', kind: 'changed', before: 'Visit 1', after: 'Baseline' },
    { path: 'stages["Visit 1"].components["mass"].index', kind: 'changed', before: 1, after: 0 },
    { path: 'stages["Visit 1"].components["mass"].title', kind: 'changed', before: 'mass', after: 'Body mass' },
    { path: 'settings.behindScheduleNotices["push"]', kind: 'removed', before: 'push', after: null },
    { path: 'settings.signatureMeanings["Approved"]', kind: 'added', before: null, after: 'Approved' },
  ])
  expect(firstOf(snapshot.stages)._id).toBe(third._id)
  const back = present((await owner.do('readConfigurationVersion', id, '1', { against: 2 })).changes)
  expect(back.length).toBe(changes.length)
  expect(back).toContainEqual({ path: 'dataTypes["pulse"].min', kind: 'changed', before: 30, after: null })
  expect(back).toContainEqual({ path: 'stages["Visit 2"]', kind: 'added', before: null, after: old.stages[1] })
  expect(back).toContainEqual({
    path: 'stages["Baseline"].name',
    kind: 'changed',
    before: 'Baseline',
    after: 'Visit 1',
  })
  expect((await owner.do('readConfigurationVersion', id, '2', { against: 2 })).changes).toEqual([])
})

/** A configuration of items with inner lists; the index of each is its position. */
const placed = (things: { _id: string }[]) => things.map((thing, index) => ({ ...thing, index }))

const snapshots = stages.map((list): Snapshot => ({ ...nothing, stages: placed(list) }))

test('there are no changes exactly if the hashes are equal, and every path has one change', () => {
  fc.assert(
    fc.property(snapshots, snapshots, (before, after) => {
      const changes = changesBetween(before, after)
      expect(changes.length === 0).toBe(hashOf(before) === hashOf(after))
      expect(new Set(changes.map(({ path }) => path)).size).toBe(changes.length)
      expect(changesBetween(after, before).length).toBe(changes.length)
      expect(changesBetween(before, before)).toEqual([])
    }),
    { numRuns: runs(500) },
  )
}, 180_000)

/** The length of the longest increasing subsequence, by trying all. */
function longestRun(places: number[]): number {
  const lengths = places.map(() => 1)
  for (let at = 0; at < places.length; at++)
    for (let earlier = 0; earlier < at; earlier++)
      if (places[earlier]! < places[at]!) lengths[at] = Math.max(lengths[at]!, lengths[earlier]! + 1)
  return Math.max(0, ...lengths)
}

test('another order changes only the index of the fewest items that must move', () => {
  const shuffled = stages.chain((list) =>
    fc.tuple(fc.constant(list), fc.shuffledSubarray(list, { minLength: list.length, maxLength: list.length })),
  )
  fc.assert(
    fc.property(shuffled, ([before, after]) => {
      const changes = changesBetween({ ...nothing, stages: placed(before) }, { ...nothing, stages: placed(after) })
      const places = after.map((each) => before.indexOf(each))
      expect(changes.length).toBe(before.length - longestRun(places))
      for (const { path, kind, before: from, after: to } of changes) {
        expect([kind, path]).toEqual(['changed', expect.stringMatching(/^stages\[.*\]\.index$/)])
        expect(before[from as number]).toBe(after[to as number]!)
      }
    }),
  )
})
