import { expect, test } from 'bun:test'
import fc from 'fast-check'
import type { Id } from '#kernel/id'
import { answer, entriesOf } from '../../conduct/responses/answers'
import { runs } from '../../proof'
import { study, unknown } from './stages.study'

test('stages may not wait for each other in a circle', async () => {
  const { owner, make, anchor, url } = study()
  const after = (stage: Id, stageRecurrence = 0) => ({ type: 'stage', stage, stageRecurrence })
  const a = await make({ name: 'AA', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 })
  const b = await make({ name: 'BB', enableAfter: after(a._id, 2) })
  const circle = async (body: unknown) => {
    const { status, body: answered } = await owner.call('PUT', `/stages/${a._id}`, body)
    return [status, answered.message]
  }
  const two = [400, 'These wait for each other in a circle: "BB" → "AA" → "BB".']
  expect(await circle({ enableAfter: after(b._id) })).toEqual(two)
  expect(await circle({ enableAfter: after(a._id) })).toEqual([
    400,
    'These wait for each other in a circle: "AA" → "AA".',
  ])
  const done = await anchor({ assignmentRule: { type: 'stage_completion', stageId: b._id } })
  expect(await circle({ enableAfter: { type: 'anchor', anchor: done._id } })).toEqual(two)
  expect(await circle({ isAnchored: true, anchorSchedule: [{ anchor: done._id, dayOffset: 1 }] })).toEqual(two)
  expect(await owner.do('readStage', a._id)).toEqual(a)
  const c = await owner.call('POST', url, { name: 'CC', enableAfter: after(b._id) })
  expect(c.status).toBe(200)
})

test('a change after which another stage could never open is refused, naming that stage', async () => {
  const { owner, make } = study()
  const a = await make({ name: 'AA', isRecurring: true, recurringFrequency: 1, recurringDuration: 3 })
  await make({ name: 'Week 4', enableAfter: { type: 'stage', stage: a._id, stageRecurrence: 2 } })
  const { status, body } = await owner.call('PUT', `/stages/${a._id}`, { recurringDuration: 2 })
  expect([status, body.message]).toEqual([
    400,
    '“Week 4” would no longer work. “AA” has no occurrence 2: they are counted from 0 to 1.',
  ])
})

test('a stage that others wait for, or that has responses, is not deleted', async () => {
  const at = study()
  const { owner, make, anchor, names, trial } = at
  const a = await make({ name: 'Baseline' })
  const b = await make({ name: 'Week 4', enableAfter: { type: 'stage', stage: a._id } })
  await anchor({ name: 'Done', assignmentRule: { type: 'stage_completion', stageId: a._id, stageRecurrence: 0 } })
  const needed = await owner.call('DELETE', `/stages/${a._id}`)
  expect([needed.status, needed.body.message]).toEqual([
    400,
    '“Baseline” cannot be deleted: it is needed by “Week 4”, “Done”.',
  ])
  answer(at, trial, b._id, {})
  answer(at, trial, b._id, {})
  const answered = await owner.call('DELETE', `/stages/${b._id}`)
  expect([answered.status, answered.body.message]).toEqual([400, '“Week 4” has 2 responses, which would be lost.'])
  expect(await names()).toEqual(['Baseline', 'Week 4'])
})

test('occurrences with responses cannot be removed', async () => {
  const at = study()
  const { owner, make, trial } = at
  const weekly = await make({ name: 'Weekly', isRecurring: true, recurringFrequency: 7, recurringDuration: 28 })
  for (const n of [0, 1, 2, 2]) answer(at, trial, weekly._id, {}, n)
  const status = async (body: unknown) => (await owner.call('PUT', `/stages/${weekly._id}`, body)).status
  const { body } = await owner.call('PUT', `/stages/${weekly._id}`, { recurringDuration: 14 })
  expect(body.message).toBe('“Weekly” has 2 responses in occurrences that would no longer exist.')
  expect(await status({ isRecurring: false })).toBe(400)
  expect(await status({ recurringDuration: 21 })).toBe(200)
  expect(await status({ adHoc: true })).toBe(200)
  expect(await status({ adHoc: false, isRecurring: false })).toBe(400)
  expect(await status({ adHoc: false })).toBe(200)
})

test('several stages are deleted together, or none', async () => {
  const at = study()
  const { owner, make, names, makeTrial, neighbours, trial } = at
  const a = await make({ name: 'AA' })
  const b = await make({ name: 'BB', enableAfter: { type: 'stage', stage: a._id } })
  const c = await make({ name: 'CC', enableAfter: { type: 'stage', stage: b._id } })
  const d = await make({ name: 'DD' })
  const remove = (...ids: Id[]) => owner.call('DELETE', `/stages?ids=${ids.join(',')}`)
  expect((await remove(a._id, b._id)).status).toBe(400)
  expect((await remove(a._id, unknown)).status).toBe(404)
  expect((await owner.call('DELETE', '/stages')).status).toBe(422)
  const elsewhere = await owner.do('createStage', makeTrial(), { name: 'EE' })
  expect((await remove(a._id, elsewhere._id)).status).toBe(400)
  const stranger = neighbours().owner
  expect((await stranger.call('DELETE', `/stages?ids=${a._id}`)).status).toBe(404)
  expect(await names()).toEqual(['AA', 'BB', 'CC', 'DD'])
  expect((await remove(c._id, a._id, b._id, a._id)).body).toEqual({})
  expect((await owner.do('listStages', at.trial)).stages).toEqual([{ ...d, index: 0 }])
  const last = JSON.parse(entriesOf(at, trial).at(-1)!.event)
  expect(last.before.map(({ name }: { name: string }) => name)).toEqual(['CC', 'AA', 'BB'])
})

test('fifty deletions a minute are allowed', async () => {
  const { owner } = study()
  for (let n = 0; n < 50; n++) expect((await owner.call('DELETE', `/stages?ids=${unknown}`)).status).toBe(404)
  const { status, body } = await owner.call('DELETE', `/stages?ids=${unknown}`)
  expect([status, body['Allowed limit']]).toEqual([429, '50 per 1 minute'])
})

test('positions have no gaps after any insertions, moves and deletions', async () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('insert' as const), at: fc.option(fc.nat(8), { nil: undefined }) }),
    fc.record({ kind: fc.constant('move' as const), which: fc.nat(20), at: fc.nat(8) }),
    fc.record({ kind: fc.constant('delete' as const), which: fc.nat(20) }),
  )
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const { owner, make, trial } = study()
      const expected: Id[] = []
      for (const step of steps) {
        if (step.kind === 'insert') {
          const { _id, index } = await make(step.at === undefined ? {} : { index: step.at })
          const at = Math.min(step.at ?? expected.length, expected.length)
          expected.splice(at, 0, _id)
          expect(index).toBe(at)
        } else if (expected.length) {
          const [_id] = expected.splice(step.which % expected.length, 1)
          if (step.kind === 'delete') await owner.do('deleteStage', _id)
          else {
            const at = Math.min(step.at, expected.length)
            expected.splice(at, 0, _id!)
            expect((await owner.do('updateStage', _id, { index: step.at })).index).toBe(at)
          }
        }
      }
      const { stages } = await owner.do('listStages', trial)
      expect(stages.map(({ _id }) => _id)).toEqual(expected)
      expect(stages.map(({ index }) => index)).toEqual(expected.map((_, place) => place))
    }),
    { numRuns: runs(15) },
  )
})

test('a group or site that a stage names is not deleted', async () => {
  const { owner, make, group, site } = study()
  const [arm, place] = [group(), site()]
  const stage = await make({ name: 'Baseline', availableToGroups: [arm], availableToSites: [place] })
  const refusal = async (url: string) => {
    const { status, body } = await owner.call('DELETE', url)
    return [status, body.message]
  }
  expect(await refusal(`/groups/${arm}`)).toEqual([400, '“Arm A” cannot be deleted: it is needed by “Baseline”.'])
  expect(await refusal(`/sites/${place}`)).toEqual([400, '“Site” cannot be deleted: it is needed by “Baseline”.'])
  await owner.do('updateStage', stage._id, { availableToGroups: null, availableToSites: null })
  expect([await owner.do('deleteGroup', arm), await owner.do('deleteSite', place)]).toEqual([{}, {}])
})
