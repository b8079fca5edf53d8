import { expect, test } from 'bun:test'
import { entriesOf } from '../../conduct/responses/answers'
import { study, title } from './stages.study'

test('a video must be a finished upload for this trial', async () => {
  const { owner, make, upload, makeTrial } = study()
  const withVideo = (fileName: string) => title({ video: { name: 'How to', fileName } })
  const own = upload()
  const stage = await make(withVideo(own))
  for (const change of [
    { forId: makeTrial() },
    { forType: 'site' as const },
    { finishedAt: null },
    { kind: 'export' as const },
  ]) {
    const { status, body } = await owner.call('PUT', `/stages/${stage._id}`, withVideo(upload(change)))
    expect([status, body.message]).toEqual([400, 'The video “How to” is not a finished upload for this trial.'])
  }
})

test('reading needs some permission in the trial, writing trial.write and an unlocked trial', async () => {
  const at = study()
  const { staff, trial, url, make, neighbours, site, db } = at
  const ids = [await make(), await make()].map(({ _id }) => _id)
  const requests: [string, string, unknown?][] = [
    ['GET', url],
    ['GET', `/stages/${ids[0]}`],
    ['POST', url, { name: 'New' }],
    ['PUT', `/stages/${ids[0]}`, { name: 'Other' }],
    ['DELETE', `/stages/${ids[0]}`],
    ['DELETE', `/stages?ids=${ids[1]}`],
  ]
  const statuses = async (person: ReturnType<typeof staff> | ReturnType<typeof neighbours>['owner']) => {
    const answers: number[] = []
    for (const [method, to, body] of requests) answers.push((await person.call(method, to, body)).status)
    return answers
  }
  expect(await statuses(neighbours().owner)).toEqual([404, 404, 404, 404, 404, 404])
  expect(await statuses(staff(trial, ['trial.readTasks']))).toEqual([200, 200, 403, 403, 403, 403])
  expect(await statuses(staff(trial, ['site.write'], site()))).toEqual([200, 200, 403, 403, 403, 403])
  expect(entriesOf(at, trial).filter(({ type }) => type === 'accessRefused')).toHaveLength(8)
  db.$client.query('UPDATE trials SET isLocked = 1').run()
  expect(await statuses(staff(trial, ['trial.admin']))).toEqual([200, 200, 403, 403, 403, 403])
  db.$client.query('UPDATE trials SET isLocked = 0').run()
  expect(await statuses(staff(trial, ['trial.write']))).toEqual([200, 200, 200, 200, 200, 200])
})

test('each change adds an audit entry with the values before and after', async () => {
  const at = study()
  const stage = await at.make({ description: 'First' })
  await at.owner.do('updateStage', stage._id, { description: null, adHoc: true })
  await at.owner.do('deleteStage', stage._id)
  const entries = entriesOf(at, at.trial)
  expect(entries.map(({ type }) => type)).toEqual(['createStage', 'updateStage', 'deleteStage'])
  expect(JSON.parse(entries[1]!.event)).toEqual({
    stageId: stage._id,
    before: { description: 'First', adHoc: false },
    after: { description: null, adHoc: true },
  })
  expect(JSON.parse(entries[2]!.event).before).toMatchObject({ _id: stage._id, adHoc: true })
})
