import { describe, expect, test } from 'bun:test'
import { DAY } from '#kernel/time'
import { world } from '../../harness'
import { firstOf } from '../../present'
import { entriesOf } from '../responses/answers'
import { board } from './tasks.study'

describe('lanes', () => {
  test('exist in a new trial, and are added, renamed, moved and deleted, each with an audit entry', async () => {
    const b = await board()
    const { owner, reader, laneNames, trial } = b
    expect((await reader.do('listTaskLanes', trial)).lanes).toEqual(
      ['To do', 'In progress', 'Done'].map((name, index) => ({
        _id: expect.any(String),
        createdAt: b.now(),
        trial,
        name,
        description: null,
        index,
        isCompleteLane: name === 'Done',
      })),
    )
    const lane = await owner.do('createTaskLane', trial, { name: 'Waiting', description: 'For others.', index: 1 })
    expect(lane).toMatchObject({ name: 'Waiting', description: 'For others.', index: 1, isCompleteLane: false })
    expect(await laneNames()).toEqual(['To do', 'Waiting', 'In progress', 'Done'])
    expect(await owner.do('updateTaskLane', lane._id, { ...lane, name: 'On hold', index: 9 })).toEqual({
      ...lane,
      name: 'On hold',
      index: 3,
    })
    expect((await owner.do('updateTaskLane', lane._id, { index: 0 })).index).toBe(0)
    expect(await laneNames()).toEqual(['On hold', 'To do', 'In progress', 'Done'])
    expect(await owner.do('deleteTaskLane', lane._id)).toEqual({})
    expect((await owner.do('listTaskLanes', trial)).lanes.map(({ index }) => index)).toEqual([0, 1, 2])
    const types = entriesOf(b, trial).flatMap(({ type }) => (type.endsWith('TaskLane') ? [type] : []))
    expect(types).toEqual(['createTaskLane', 'updateTaskLane', 'updateTaskLane', 'deleteTaskLane'])
  })

  test('with tasks are not deleted', async () => {
    const { owner, toDo, add, shown } = await board()
    const at = `/task-lanes/${toDo}` as const
    const { _id } = await add('a')
    const refused = async () => {
      const { status, body } = await owner.call('DELETE', at)
      return [status, body.message, body.details]
    }
    const details = (count: number) => ({ code: 'laneHoldsTasks', params: { lane: 'To do', count }, tasks: count })
    expect(await refused()).toEqual([400, '“To do” holds 1 task. Move or delete them first.', details(1)])
    const second = await add('b')
    expect(await refused()).toEqual([400, '“To do” holds 2 tasks. Move or delete them first.', details(2)])
    expect(await shown()).toEqual({ 'To do': ['a', 'b'] })
    await owner.do('deleteTask', _id)
    await owner.do('deleteTask', second._id)
    expect(await owner.do('deleteTaskLane', toDo)).toEqual({})
  })

  test('complete their tasks when they become complete lanes, and make them pending again afterwards', async () => {
    const b = await board()
    const { owner, toDo, add, trial } = b
    const [one, two] = [await add('a'), await add('b', { status: 'completed' })]
    b.clock(DAY)
    const turn = (isCompleteLane: boolean) => owner.do('updateTaskLane', toDo, { isCompleteLane })
    const standing = async () =>
      (await owner.do('listTasks', trial)).tasks.map(({ status, completedAt }) => [status, completedAt])
    expect((await turn(true)).isCompleteLane).toBe(true)
    const both = [
      ['completed', b.now()],
      ['completed', two.completedAt],
    ]
    expect(await standing()).toEqual(both)
    expect(JSON.parse(entriesOf(b, trial).at(-1)!.event)).toEqual({
      laneId: toDo,
      before: { isCompleteLane: false },
      after: { isCompleteLane: true },
      tasks: [one._id],
    })
    await turn(true)
    expect(await standing()).toEqual(both)
    await turn(false)
    expect(await standing()).toEqual([
      ['pending', null],
      ['pending', null],
    ])
  })

  test('are created when a task needs one', async () => {
    const { owner, toDo, doing, laneNames, add, shown, trial } = await board()
    for (const lane of [toDo, doing]) await owner.do('deleteTaskLane', lane)
    await add('a')
    await add('b')
    expect(await laneNames()).toEqual(['To do', 'Done'])
    expect(await shown()).toEqual({ 'To do': ['a', 'b'] })
    expect((await owner.do('listTaskLanes', trial)).lanes.map(({ index }) => index)).toEqual([0, 1])
  })

  test.each([
    [{}, { name: ['Missing data for required field.'] }],
    [{ name: '' }, { name: [expect.any(String)] }],
    [{ name: 'x'.repeat(101) }, { name: ['Must be at most 100 characters.'] }],
    [{ name: 'x', description: 'x'.repeat(2001) }, { description: [expect.any(String)] }],
    [{ name: 'x', index: -1 }, { index: [expect.any(String)] }],
    [{ name: 'x', isCompleteLane: 'yes' }, { isCompleteLane: [expect.any(String)] }],
    [{ name: 'x', colour: 'red' }, { colour: ['Unknown field.'] }],
  ])('are refused as %j', async (body, problems) => {
    const { owner, lanes } = await board()
    const { status, body: answer } = await owner.call('POST', lanes, body)
    expect([status, answer.validations?.json]).toEqual([422, problems])
  })
})

describe('access', () => {
  test('to read tasks is not access to change them; without either it is 403, and logged', async () => {
    const { owner, reader, writer, staff, trial, all, lanes, add, toDo } = await board()
    const { _id } = await add('x')
    const writes = [
      ['POST', all, { title: 'y' }],
      ['PUT', `/tasks/${_id}`, { title: 'y' }],
      ['DELETE', `/tasks/${_id}`],
      ['POST', lanes, { name: 'y' }],
      ['PUT', `/task-lanes/${toDo}`, { name: 'y' }],
      ['DELETE', `/task-lanes/${toDo}`],
    ] as const
    const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const local = staff(trial, ['site.admin', 'trial.writeTasks'], site)
    for (const [method, path, body] of writes) {
      for (const person of [reader, local]) expect((await person.call(method, path, body)).status).toBe(403)
    }
    for (const path of [all, lanes]) expect((await local.call('GET', path)).status).toBe(403)
    const { total } = await owner.do('readLogs', trial, { type: 'accessRefused' })
    expect(total).toBe(2 * writes.length + 2)
    expect((await writer.do('createTask', trial, { title: 'z' })).createdBy).toBe(writer._id)
    expect((await writer.do('listTasks', trial)).tasks).toHaveLength(2)
  })

  test('to tasks of another team is 404', async () => {
    const { all, lanes, add, toDo, neighbours } = await board()
    const { owner: other } = neighbours()
    const { _id } = await add('x')
    for (const path of [all, lanes]) expect((await other.call('GET', path)).status).toBe(404)
    for (const path of [`/tasks/${_id}`, `/task-lanes/${toDo}`]) {
      expect((await other.call('PUT', path, {})).status).toBe(404)
      expect((await other.call('DELETE', path)).status).toBe(404)
    }
  })

  test('continues while the trial and its database are locked', async () => {
    const { db, writer, toDo, trial } = await board()
    db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    const { _id } = await writer.do('createTask', trial, { title: 'x' })
    await writer.do('updateTask', _id, { title: 'y' })
    await writer.do('deleteTask', _id)
    await writer.do('createTaskLane', trial, { name: 'y' })
    await writer.do('updateTaskLane', toDo, { name: 'z' })
    await writer.do('deleteTaskLane', toDo)
  })
})

test('a copy of a trial has its lanes but no tasks', async () => {
  const { owner, team, trial, add, toDo } = await board()
  await owner.do('updateTaskLane', toDo, { name: 'Backlog', index: 1 })
  await owner.do('createTaskLane', trial, { name: 'Checked', isCompleteLane: true })
  await add('x')
  const copy = (await owner.do('createTrial', team, { name: 'Copy', copyFrom: trial }))._id
  const copied = (await owner.do('listTaskLanes', copy)).lanes
  const known = (await owner.do('listTaskLanes', trial)).lanes
  const as = ({ name, index, isCompleteLane }: (typeof known)[number]) => [name, index, isCompleteLane]
  expect(copied.map(as)).toEqual(known.map(as))
  expect(copied.map(as)).toEqual([
    ['In progress', 0, false],
    ['Backlog', 1, false],
    ['Done', 2, true],
    ['Checked', 3, true],
  ])
  expect(copied.map(({ _id }) => _id)).not.toContain(firstOf(known)._id)
  expect((await owner.do('listTasks', copy)).tasks).toEqual([])
})

test('tasks and lanes are deleted with their trial', async () => {
  const { owner, trial, add, db } = await board()
  await add('x')
  await owner.do('deleteTrial', trial)
  for (const table of ['tasks', 'taskLanes']) {
    expect(db.$client.query(`SELECT * FROM ${table} WHERE trial = ?`).all(trial)).toEqual([])
  }
})

test('the demo has tasks on its board', async () => {
  const { owner, team } = world()
  const demo = (await owner.do('createTrial', team, {}, { creationType: 'demo' }))._id
  const { tasks } = await owner.do('listTasks', demo)
  expect(tasks.map(({ status, assignees }) => [status, assignees])).toEqual([
    ['pending', [owner._id]],
    ['pending', [owner._id]],
    ['completed', [owner._id]],
  ])
})
