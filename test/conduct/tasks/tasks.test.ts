import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { statusIn } from '#conduct/tasks/rules'
import { DAY, parseInstant } from '#kernel/time'
import { world } from '../../harness'
import { study } from '../../study'
import { entriesOf } from '../responses/answers'

type Task = { _id: string; title: string; index: number; taskLane: string; status: string; completedAt: string | null }
type Lane = { _id: string; name: string; index: number; isCompleteLane: boolean }

/** A new trial with its board, and staff who may write and read tasks. */
async function board() {
  const w = world()
  const { owner, db, team, staff } = w
  const trial: string = (await owner.post(`/teams/${team}/trials`, { name: 'Breath study' }))._id
  const all = `/trials/${trial}/tasks`
  const lanes = `/trials/${trial}/task-lanes`
  const [toDo, doing, done] = (await owner.get(lanes)).lanes as [Lane, Lane, Lane]
  return {
    ...w,
    trial,
    all,
    lanes,
    ...{ toDo: toDo._id, doing: doing._id, done: done._id },
    writer: staff(trial, ['trial.writeTasks']),
    reader: staff(trial, ['trial.readTasks']),
    add: (title: string, more: Record<string, unknown> = {}) => owner.post(all, { title, ...more }) as Promise<Task>,
    /** The listed tasks by the names of their lanes, in order. */
    async shown() {
      const names = new Map((await owner.get(lanes)).lanes.map(({ _id, name }: Lane) => [_id, name]))
      const { tasks } = (await owner.get(all)) as { tasks: Task[] }
      const board: Record<string, string[]> = {}
      for (const { title, taskLane, index } of tasks) {
        const lane = (board[names.get(taskLane) as string] ??= [])
        expect(index).toBe(lane.length)
        lane.push(title)
      }
      return board
    },
    laneNames: async () => (await owner.get(lanes)).lanes.map(({ name }: Lane) => name),
    mails: () =>
      db.$client.query('SELECT recipient, subject, body, status FROM outbox ORDER BY _id').all() as Record<
        'recipient' | 'subject' | 'body' | 'status',
        string
      >[],
  }
}

describe('a task', () => {
  test('is created, read, changed and deleted, each with an audit entry', async () => {
    const b = await board()
    const { owner, reader, trial, toDo, all } = b
    const task = await owner.post(all, { title: 'Order kits', description: 'Twenty.', dueDate: '2026-03-09T09:00:00Z' })
    expect(task).toEqual({
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      createdAt: b.now(),
      createdBy: owner._id,
      completedAt: null,
      trial,
      participant: null,
      title: 'Order kits',
      description: 'Twenty.',
      taskLane: toDo,
      index: 0,
      status: 'pending',
      assignees: [],
      dueDate: '2026-03-09T09:00:00.000000Z',
    })
    expect(await reader.get(all)).toEqual({ tasks: [task], page: 1, nextPageAvailable: false })
    b.clock(DAY)
    const changed = { ...task, title: 'Order forty kits', dueDate: null }
    expect(await owner.put(`/tasks/${task._id}`, changed)).toEqual(changed)
    expect(await owner.put(`/tasks/${task._id}`, {})).toEqual(changed)
    expect(await owner.delete(`/tasks/${task._id}`)).toEqual({})
    expect((await reader.get(all)).tasks).toEqual([])
    const entries = entriesOf(b, trial).filter(({ type }) => type.endsWith('Task'))
    expect(entries.map(({ type }) => type)).toEqual(['createTask', 'updateTask', 'updateTask', 'deleteTask'])
    expect(JSON.parse(entries[1]!.event)).toMatchObject({
      taskId: task._id,
      before: { title: 'Order kits', dueDate: parseInstant(task.dueDate)! },
      after: { title: 'Order forty kits', dueDate: null },
    })
    expect(JSON.parse(entries[3]!.event).before).toMatchObject({ title: 'Order forty kits' })
  })

  test('has a place in its lane, and the others make room for it', async () => {
    const b = await board()
    const { owner, add, shown, doing } = b
    for (const title of ['a', 'b', 'c']) await add(title)
    const d = await add('d', { index: 1 })
    expect(await shown()).toEqual({ 'To do': ['a', 'd', 'b', 'c'] })
    const at = `/tasks/${d._id}`
    expect((await owner.put(at, { index: 99 })).index).toBe(3)
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c', 'd'] })
    expect((await owner.put(at, { index: 0 })).index).toBe(0)
    expect(await shown()).toEqual({ 'To do': ['d', 'a', 'b', 'c'] })
    await add('e', { taskLane: doing, index: 7 })
    expect(await owner.put(at, { taskLane: doing })).toMatchObject({ taskLane: doing, index: 1 })
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c'], 'In progress': ['e', 'd'] })
    await owner.put(at, { taskLane: b.toDo, index: 2 })
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'd', 'c'], 'In progress': ['e'] })
    await owner.delete(at)
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c'], 'In progress': ['e'] })
  })

  test('keeps its lane in order, whatever happens to it', async () => {
    const b = await board()
    const { owner, toDo, doing, done } = b
    const lane = fc.constantFrom(toDo, doing, done)
    const index = fc.nat(5)
    type Step = { lane: string; index: number; which: number; act: string }
    const step = fc.record({ lane, index, which: fc.nat(9), act: fc.constantFrom('add', 'add', 'move', 'delete') })
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps: Step[]) => {
        const model = new Map<string, Task[]>([toDo, doing, done].map((_id) => [_id, []]))
        const put = (task: Task, lane: string, index: number) => model.get(lane)!.splice(index, 0, task)
        const take = (task: Task) => {
          for (const tasks of model.values()) if (tasks.includes(task)) tasks.splice(tasks.indexOf(task), 1)
        }
        for (const { act, lane, index, which } of steps) {
          const known = [...model.values()].flat()
          const task = known[which % known.length]
          if (act === 'add') put(await b.add('x', { taskLane: lane, index }), lane, index)
          else if (task) {
            take(task)
            if (act === 'delete') await owner.delete(`/tasks/${task._id}`)
            else {
              put(task, lane, index)
              await owner.put(`/tasks/${task._id}`, { taskLane: lane, index })
            }
          }
        }
        const { tasks } = (await owner.get(b.all)) as { tasks: Task[] }
        const expected = [...model].flatMap(([lane, tasks]) => tasks.map(({ _id }, index) => [_id, lane, index]))
        expect(tasks.map(({ _id, taskLane, index }) => [_id, taskLane, index])).toEqual(expected)
        for (const { _id } of tasks) await owner.delete(`/tasks/${_id}`)
      }),
      { numRuns: 25 },
    )
  })

  test.each([
    // in a complete lane, status asked for, before: [status, in a complete lane], expected status
    [false, undefined, undefined, 'pending'],
    [false, 'pending', undefined, 'pending'],
    [false, 'completed', undefined, 'completed'],
    [true, undefined, undefined, 'completed'],
    [true, 'completed', undefined, 'completed'],
    [true, 'pending', undefined, undefined],
    [false, undefined, ['pending', false], 'pending'],
    [false, undefined, ['completed', false], 'completed'],
    [false, 'completed', ['pending', false], 'completed'],
    [false, 'pending', ['completed', false], 'pending'],
    [true, undefined, ['pending', false], 'completed'],
    [true, 'pending', ['pending', false], 'completed'],
    [true, 'completed', ['pending', false], 'completed'],
    [true, 'pending', ['completed', false], undefined],
    [true, undefined, ['completed', true], 'completed'],
    [true, 'pending', ['completed', true], undefined],
    [false, undefined, ['completed', true], 'pending'],
    [false, 'completed', ['completed', true], 'pending'],
    [false, 'pending', ['completed', true], 'pending'],
  ] as const)(
    'in a lane that is complete: %p, asked to be %p and before %p, is %p',
    (isComplete, asked, was, status) => {
      expect(statusIn(isComplete, asked, was && { status: was[0], isCompleteLane: was[1] })).toBe(status)
    },
  )

  test('is completed in a complete lane, and pending again out of it', async () => {
    const b = await board()
    const { owner, add, done, toDo, doing } = b
    const task = await add('Order kits')
    const at = `/tasks/${task._id}`
    b.clock(DAY)
    const completed = { ...task, taskLane: done, status: 'completed', completedAt: b.now() }
    expect(await owner.put(at, { ...task, taskLane: done })).toEqual(completed)
    b.clock(DAY)
    expect(await owner.put(at, { title: 'Order kits', status: 'completed' })).toEqual(completed)
    const { status, body } = await owner.call('PUT', at, { status: 'pending' })
    expect([status, body.message]).toEqual([400, 'Tasks in “Done” are completed. Put it into another lane.'])
    expect(await owner.put(at, { ...completed, taskLane: toDo })).toEqual(task)
    expect(await owner.put(at, { status: 'completed' })).toEqual({ ...task, status: 'completed', completedAt: b.now() })
    expect(await owner.put(at, { taskLane: doing })).toMatchObject({ status: 'completed', completedAt: b.now() })
    expect(await owner.put(at, { status: 'pending' })).toMatchObject({ status: 'pending', completedAt: null })
    expect(await add('Train', { taskLane: done })).toMatchObject({ status: 'completed', completedAt: b.now() })
    expect((await owner.call('POST', b.all, { title: 'x', taskLane: done, status: 'pending' })).status).toBe(400)
  })

  test('tells who is assigned to it by e-mail: once, and never who did it', async () => {
    const { owner, writer, reader, add, mails, db } = await board()
    const dueDate = '2026-03-09T09:30:00Z'
    const assignees = [owner._id, reader._id, reader._id]
    const task = await add('Order kits', { description: 'Anna Ash needs one.', assignees, dueDate })
    expect(task).toMatchObject({ assignees: [owner._id, reader._id] })
    const audited = {
      recipient: reader.email,
      status: 'notSent',
      subject: 'Breath study: a task for you',
      body: 'Olga Owner assigned a task to you.\n\nStudy: Breath study\nTask: Order kits\nDue: 2026-03-09 09:30 UTC\n',
    }
    expect(mails()).toEqual([audited])
    const at = `/tasks/${task._id}`
    await owner.put(at, { assignees: [owner._id, reader._id], title: 'Order more kits' })
    expect(mails()).toEqual([audited])
    await owner.put(at, { assignees: [reader._id, writer._id] })
    expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, writer.email])
    await writer.put(at, { assignees: [owner._id, writer._id] })
    expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, writer.email, owner.email])
    await writer.put(at, { assignees: [] })
    db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(reader._id)
    await writer.put(at, { assignees: [reader._id, writer._id] })
    expect(mails()).toHaveLength(3)
  })

  test('is assigned only to people who can read it, and who no longer can stays assigned', async () => {
    const { owner, add, staff, trial, reader, all, invite, mails, db } = await board()
    const site = (await owner.post(`/trials/${trial}/sites`, { name: 'North', id: 'N1' }))._id
    const strangers = [invite(), staff(trial, ['trial.readParticipants']), staff(trial, ['site.admin'], site)]
    for (const { _id } of strangers) {
      const { status, body } = await owner.call('POST', all, { title: 'x', assignees: [reader._id, _id] })
      expect([status, body]).toEqual([
        400,
        { message: '1 of the assignees cannot read this task.', details: { strangers: [_id] } },
      ])
    }
    expect([(await owner.get(all)).tasks, mails()]).toEqual([[], []])
    const task = await add('x', { assignees: [reader._id] })
    db.$client.query('DELETE FROM permissions WHERE user = ?').run(reader._id)
    const at = `/tasks/${task._id}`
    expect(await owner.put(at, { ...task, title: 'y' })).toMatchObject({ assignees: [reader._id] })
    await owner.put(at, { assignees: [] })
    expect((await owner.call('PUT', at, { assignees: [reader._id] })).status).toBe(400)
  })

  test.each([
    [{}, { title: ['Missing data for required field.'] }],
    [{ title: '' }, { title: ['Must not be empty.'] }],
    [{ title: 'x'.repeat(501) }, { title: ['Must be at most 500 characters.'] }],
    [{ title: 'x', description: 'x'.repeat(5001) }, { description: [expect.any(String)] }],
    [{ title: 'x', status: 'open' }, { status: ['Must be one of: pending, completed.'] }],
    [{ title: 'x', index: -1 }, { index: [expect.any(String)] }],
    [{ title: 'x', dueDate: '2026-03-09' }, { dueDate: [expect.any(String)] }],
    [{ title: 'x', taskLane: 'To do' }, { taskLane: [expect.any(String)] }],
    [{ title: 'x', assignees: ['Olga'] }, { assignees: [expect.any(String)] }],
    [{ title: 'x', priority: 1 }, { priority: ['Unknown field.'] }],
  ])('is refused as %j', async (body, problems) => {
    const { owner, all } = await board()
    const { status, body: answer } = await owner.call('POST', all, body)
    expect([status, answer.validations?.json]).toEqual([422, problems])
  })

  test('may be as long as said', async () => {
    const { add } = await board()
    const long = { description: 'd'.repeat(5000) }
    expect(await add('t'.repeat(500), long)).toMatchObject({ title: 't'.repeat(500), ...long })
  })

  test('is not put into a lane of another trial', async () => {
    const { owner, all, add, team } = await board()
    const other = (await owner.post(`/teams/${team}/trials`, { name: 'Another' }))._id
    const [{ _id: taskLane }] = (await owner.get(`/trials/${other}/task-lanes`)).lanes
    const { _id } = await add('x')
    for (const lane of [taskLane, 'f'.repeat(24)]) {
      expect((await owner.call('POST', all, { title: 'x', taskLane: lane })).status).toBe(400)
      expect((await owner.call('PUT', `/tasks/${_id}`, { taskLane: lane })).status).toBe(400)
    }
    expect((await owner.get(`${all}?taskLane=${taskLane}`)).tasks).toEqual([])
  })

  test('is listed a page at a time, and by lane', async () => {
    const { owner, all, add, doing } = await board()
    for (const title of ['a', 'b', 'c']) await add(title)
    await add('d', { taskLane: doing })
    const read = async (query: string) => {
      const { tasks, nextPageAvailable } = await owner.get(`${all}?${query}`)
      return [tasks.map(({ title }: Task) => title).join(''), nextPageAvailable]
    }
    expect(await read('perPage=3')).toEqual(['abc', true])
    expect(await read('perPage=3&page=2')).toEqual(['d', false])
    expect(await read('perPage=4')).toEqual(['abcd', false])
    expect(await read(`taskLane=${doing}`)).toEqual(['d', false])
    expect((await owner.call('GET', `${all}?perPage=1001`)).status).toBe(422)
  })
})

describe('lanes', () => {
  test('are there from the start, and are added, renamed, moved and deleted, each with an audit entry', async () => {
    const b = await board()
    const { owner, reader, lanes, laneNames, trial } = b
    expect((await reader.get(lanes)).lanes).toEqual(
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
    const lane = await owner.post(lanes, { name: 'Waiting', description: 'For others.', index: 1 })
    expect(lane).toMatchObject({ name: 'Waiting', description: 'For others.', index: 1, isCompleteLane: false })
    expect(await laneNames()).toEqual(['To do', 'Waiting', 'In progress', 'Done'])
    const at = `/task-lanes/${lane._id}`
    expect(await owner.put(at, { ...lane, name: 'On hold', index: 9 })).toEqual({ ...lane, name: 'On hold', index: 3 })
    expect((await owner.put(at, { index: 0 })).index).toBe(0)
    expect(await laneNames()).toEqual(['On hold', 'To do', 'In progress', 'Done'])
    expect(await owner.delete(at)).toEqual({})
    expect((await owner.get(lanes)).lanes.map(({ index }: Lane) => index)).toEqual([0, 1, 2])
    const types = entriesOf(b, trial).flatMap(({ type }) => (type.endsWith('TaskLane') ? [type] : []))
    expect(types).toEqual(['createTaskLane', 'updateTaskLane', 'updateTaskLane', 'deleteTaskLane'])
  })

  test('that hold tasks are not deleted', async () => {
    const { owner, toDo, add, shown } = await board()
    const at = `/task-lanes/${toDo}`
    const { _id } = await add('a')
    const refused = async () => {
      const { status, body } = await owner.call('DELETE', at)
      return [status, body.message, body.details]
    }
    expect(await refused()).toEqual([400, '“To do” holds 1 task. Move or delete them first.', { tasks: 1 }])
    const second = await add('b')
    expect(await refused()).toEqual([400, '“To do” holds 2 tasks. Move or delete them first.', { tasks: 2 }])
    expect(await shown()).toEqual({ 'To do': ['a', 'b'] })
    await owner.delete(`/tasks/${_id}`)
    await owner.delete(`/tasks/${second._id}`)
    expect(await owner.delete(at)).toEqual({})
  })

  test('that turn complete complete their tasks, and make them pending again', async () => {
    const b = await board()
    const { owner, toDo, add, all, trial } = b
    const [one, two] = [await add('a'), await add('b', { status: 'completed' })]
    b.clock(DAY)
    const turn = (isCompleteLane: boolean) => owner.put(`/task-lanes/${toDo}`, { isCompleteLane })
    const standing = async () =>
      (await owner.get(all)).tasks.map(({ status, completedAt }: Task) => [status, completedAt])
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

  test('are made when a task needs one', async () => {
    const { owner, lanes, toDo, doing, laneNames, add, shown } = await board()
    for (const lane of [toDo, doing]) await owner.delete(`/task-lanes/${lane}`)
    await add('a')
    await add('b')
    expect(await laneNames()).toEqual(['To do', 'Done'])
    expect(await shown()).toEqual({ 'To do': ['a', 'b'] })
    expect((await owner.get(lanes)).lanes.map(({ index }: Lane) => index)).toEqual([0, 1])
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

describe('who may', () => {
  test('read tasks does not write them, and who may neither is refused and logged', async () => {
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
    const site = (await owner.post(`/trials/${trial}/sites`, { name: 'North', id: 'N1' }))._id
    const local = staff(trial, ['site.admin', 'trial.writeTasks'], site)
    for (const [method, path, body] of writes) {
      for (const person of [reader, local]) expect((await person.call(method, path, body)).status).toBe(403)
    }
    for (const path of [all, lanes]) expect((await local.call('GET', path)).status).toBe(403)
    const { total } = await owner.get(`/trials/${trial}/logs?type=accessRefused`)
    expect(total).toBe(2 * writes.length + 2)
    expect((await writer.post(all, { title: 'z' })).createdBy).toBe(writer._id)
    expect((await writer.get(all)).tasks).toHaveLength(2)
  })

  test('see nothing of another team’s', async () => {
    const { all, lanes, add, toDo, neighbours } = await board()
    const { owner: other } = neighbours()
    const { _id } = await add('x')
    for (const path of [all, lanes]) expect((await other.call('GET', path)).status).toBe(404)
    for (const path of [`/tasks/${_id}`, `/task-lanes/${toDo}`]) {
      expect((await other.call('PUT', path, {})).status).toBe(404)
      expect((await other.call('DELETE', path)).status).toBe(404)
    }
  })

  test('goes on while the trial and its database are locked', async () => {
    const { db, writer, all, lanes, toDo } = await board()
    db.$client.run('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1')
    const { _id } = await writer.post(all, { title: 'x' })
    await writer.put(`/tasks/${_id}`, { title: 'y' })
    await writer.delete(`/tasks/${_id}`)
    await writer.post(lanes, { name: 'y' })
    await writer.put(`/task-lanes/${toDo}`, { name: 'z' })
    await writer.delete(`/task-lanes/${toDo}`)
  })
})

test('a copy of a trial has its lanes and none of its tasks', async () => {
  const { owner, team, trial, lanes, add, toDo } = await board()
  await owner.put(`/task-lanes/${toDo}`, { name: 'Backlog', index: 1 })
  await owner.post(lanes, { name: 'Checked', isCompleteLane: true })
  await add('x')
  const copy = (await owner.post(`/teams/${team}/trials`, { name: 'Copy', copyFrom: trial }))._id
  const copied = (await owner.get(`/trials/${copy}/task-lanes`)).lanes
  const known = (await owner.get(lanes)).lanes
  const as = ({ name, index, isCompleteLane }: Lane) => [name, index, isCompleteLane]
  expect(copied.map(as)).toEqual(known.map(as))
  expect(copied.map(as)).toEqual([
    ['In progress', 0, false],
    ['Backlog', 1, false],
    ['Done', 2, true],
    ['Checked', 3, true],
  ])
  expect(copied.map(({ _id }: Lane) => _id)).not.toContain(known[0]._id)
  expect((await owner.get(`/trials/${copy}/tasks`)).tasks).toEqual([])
})

test('a deleted trial takes its tasks and lanes along', async () => {
  const { owner, trial, add, db } = await board()
  await add('x')
  await owner.delete(`/trials/${trial}`)
  for (const table of ['tasks', 'taskLanes']) {
    expect(db.$client.query(`SELECT * FROM ${table} WHERE trial = ?`).all(trial)).toEqual([])
  }
})

test('the demo has a few tasks on its board', async () => {
  const { owner, team } = world()
  const demo = (await owner.post(`/teams/${team}/trials?creationType=demo`))._id
  const { tasks } = await owner.get(`/trials/${demo}/tasks`)
  expect(tasks.map(({ status, assignees }: { status: string; assignees: string[] }) => [status, assignees])).toEqual([
    ['pending', [owner._id]],
    ['pending', [owner._id]],
    ['completed', [owner._id]],
  ])
})

describe('notifyTeam', () => {
  const rule = {
    id: 'alarm',
    conditions: [{ id: 'high', operator: 'more', scoreThreshold: 4 }],
    actions: [{ id: 'tell', type: 'notifyTeam', message: 'Look at this.' }],
  }
  const scoringRules = [{ id: 'high', points: 5, operator: 'more', value: 100 }]
  const alarmed = () => study({ stage: { onSubmitRules: [rule], component: { pulse: { scoringRules } } } })

  test('makes a task for the trial’s admins, once, without answers or names', async () => {
    const s = await alarmed()
    const { owner, trial, anna, db } = s
    await owner.put(`/trials/${trial}/participants/${anna}`, { name: 'Anna Ash' })
    const admin = s.staff(trial, ['trial.admin'])
    s.staff(trial, ['trial.write'])
    const all = `/trials/${trial}/tasks`
    const [toDo, doing] = (await owner.get(`/trials/${trial}/task-lanes`)).lanes
    await owner.put(`/task-lanes/${toDo._id}`, { isCompleteLane: true })
    await s.enter({ pulse: 60 })
    expect((await owner.get(all)).tasks).toEqual([])
    await s.enter({ pulse: 120, symptom: 'chest pain' })
    await s.enter({ pulse: 130 })
    const { tasks } = await owner.get(all)
    expect(tasks).toEqual([
      {
        _id: expect.any(String),
        createdAt: s.now(),
        createdBy: null,
        completedAt: null,
        trial,
        participant: anna,
        title: 'Breath study: “Visit” of participant P-1',
        description: 'Look at this.\n\nStudy: Breath study\nParticipant: P-1\nForm: Visit\n',
        taskLane: doing._id,
        index: 0,
        status: 'pending',
        assignees: [owner._id, admin._id].sort(),
        dueDate: null,
      },
    ])
    expect(db.$client.query('SELECT recipient FROM outbox').all()).toHaveLength(2)
    const { entries } = await owner.get(`/trials/${trial}/logs?type=createTask&userType=system`)
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { after: { _id: tasks[0]._id } } }])
    expect(JSON.stringify([tasks, entries])).not.toMatch(/120|chest|Anna/)
  })

  test('makes none of a submission that is refused', async () => {
    const s = await alarmed()
    expect((await s.enter({ pulse: 120, symptom: 'x' })).status).toBe(400)
    expect((await s.owner.get(`/trials/${s.trial}/tasks`)).tasks).toEqual([])
  })

  test('makes a task that only those see, and are assigned, who may know how it scored', async () => {
    const s = await alarmed()
    const { owner, trial, ids, staff } = s
    await s.enter({ pulse: 120 })
    const blind = staff(trial, ['trial.writeTasks'])
    const plain = staff(trial, ['trial.write'])
    const trusted = staff(trial, ['trial.write', 'trial.readParticipantStudyDataRestricted'])
    const [{ _id }] = (await owner.get(`/trials/${trial}/tasks`)).tasks
    const who = async () => {
      const seeing = []
      for (const [index, person] of [blind, plain, trusted].entries()) {
        const { length } = (await person.get(`/trials/${trial}/tasks`)).tasks
        const { status } = await person.call('PUT', `/tasks/${_id}`, {})
        const assigned = await owner.call('PUT', `/tasks/${_id}`, { assignees: [person._id] })
        expect([length, status, assigned.status]).toEqual(length ? [1, 200, 200] : [0, 404, 400])
        await owner.put(`/tasks/${_id}`, { assignees: [] })
        if (length) seeing.push(index)
      }
      return seeing
    }
    expect(await who()).toEqual([1, 2])
    await owner.put(`/data-types/${ids.diary}`, { isPii: true })
    expect(await who()).toEqual([1, 2])
    await owner.put(`/data-types/${ids.pulse}`, { isRestricted: true })
    expect(await who()).toEqual([2])
    await owner.put(`/data-types/${ids.pulse}`, { isRestricted: false, isPii: true })
    expect(await who()).toEqual([])
    await owner.put(`/data-types/${ids.pulse}`, { isPii: false })
    expect(await who()).toEqual([1, 2])
    const { entries } = await owner.get(`/trials/${trial}/logs?type=createTask&userType=system`)
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain('Look at this')
  })

  test('makes a task that only those see, and are assigned, who see the participant', async () => {
    const s = await alarmed()
    const { owner, trial, anna, staff, db } = s
    const [north, south] = await Promise.all(
      ['N1', 'S1'].map(async (id) => (await owner.post(`/trials/${trial}/sites`, { name: `Site ${id}`, id }))._id),
    )
    const put = (user: string, scope: string, keys: string) =>
      db.$client.query('INSERT INTO permissions VALUES (?, ?, ?, ?)').run(user, trial, scope, keys)
    const [near, far] = [north, south].map((site) => {
      const nurse = staff(trial, ['trial.writeTasks'])
      put(nurse._id, site, '["site.readParticipantStudyData"]')
      return nurse
    })
    await owner.put(`/sites/${north}/memberships/${anna}`)
    await s.enter({ pulse: 120 })
    await owner.post(`/trials/${trial}/tasks`, { title: 'About nobody' })
    const read = async (person: typeof owner | typeof near) => (await person!.get(`/trials/${trial}/tasks`)).tasks
    const [task] = await read(owner)
    expect(await read(near)).toHaveLength(2)
    expect((await read(far)).map(({ title }: Task) => title)).toEqual(['About nobody'])
    const at = `/tasks/${task._id}`
    expect((await far!.call('PUT', at, { title: 'Mine' })).status).toBe(404)
    expect((await far!.call('DELETE', at)).status).toBe(404)
    expect((await owner.call('PUT', at, { assignees: [far!._id] })).status).toBe(400)
    expect((await owner.put(at, { assignees: [near!._id] })).assignees).toEqual([near!._id])
    const entries = async (person: typeof owner) => (await person.get(`/trials/${trial}/logs?type=updateTask`)).entries
    expect(await entries(owner)).toMatchObject([{ participantId: 'P-1' }])
    await owner.delete(`/trials/${trial}/participants/${anna}`, { reason: 'A test.' })
    expect(await read(owner)).toHaveLength(2)
    expect(await read(near)).toHaveLength(1)
  })
})
