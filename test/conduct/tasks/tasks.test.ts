import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { statusIn } from '#conduct/tasks/rules'
import { DAY, parseInstant } from '#kernel/time'
import { firstOf, present } from '../../present'
import { runs } from '../../proof'
import { entriesOf } from '../responses/answers'
import { board, type Task } from './tasks.study'

describe('a task', () => {
  test('is created, read, changed and deleted, each with an audit entry', async () => {
    const b = await board()
    const { owner, reader, trial, toDo } = b
    const task = await owner.do('createTask', trial, {
      title: 'Order kits',
      description: 'Twenty.',
      dueDate: '2026-03-09T09:00:00Z',
    })
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
    expect(await reader.do('listTasks', trial)).toEqual({ tasks: [task], page: 1, nextPageAvailable: false })
    b.clock(DAY)
    const changed = { ...task, title: 'Order forty kits', dueDate: null }
    expect(await owner.do('updateTask', task._id, changed)).toEqual(changed)
    expect(await owner.do('updateTask', task._id, {})).toEqual(changed)
    expect(await owner.do('deleteTask', task._id)).toEqual({})
    expect((await reader.do('listTasks', trial)).tasks).toEqual([])
    const entries = entriesOf(b, trial).filter(({ type }) => type.endsWith('Task'))
    expect(entries.map(({ type }) => type)).toEqual(['createTask', 'updateTask', 'updateTask', 'deleteTask'])
    expect(JSON.parse(entries[1]!.event)).toMatchObject({
      taskId: task._id,
      before: { title: 'Order kits', dueDate: parseInstant(present(task.dueDate))! },
      after: { title: 'Order forty kits', dueDate: null },
    })
    expect(JSON.parse(entries[3]!.event).before).toMatchObject({ title: 'Order forty kits' })
  })

  test('has a position in its lane, and the others are moved to make room', async () => {
    const b = await board()
    const { owner, add, shown, doing } = b
    for (const title of ['a', 'b', 'c']) await add(title)
    const d = await add('d', { index: 1 })
    expect(await shown()).toEqual({ 'To do': ['a', 'd', 'b', 'c'] })
    expect((await owner.do('updateTask', d._id, { index: 99 })).index).toBe(3)
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c', 'd'] })
    expect((await owner.do('updateTask', d._id, { index: 0 })).index).toBe(0)
    expect(await shown()).toEqual({ 'To do': ['d', 'a', 'b', 'c'] })
    await add('e', { taskLane: doing, index: 7 })
    expect(await owner.do('updateTask', d._id, { taskLane: doing })).toMatchObject({ taskLane: doing, index: 1 })
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c'], 'In progress': ['e', 'd'] })
    await owner.do('updateTask', d._id, { taskLane: b.toDo, index: 2 })
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'd', 'c'], 'In progress': ['e'] })
    await owner.do('deleteTask', d._id)
    expect(await shown()).toEqual({ 'To do': ['a', 'b', 'c'], 'In progress': ['e'] })
  })

  test('keeps the positions of its lane without gaps, after any changes (property)', async () => {
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
            if (act === 'delete') await owner.do('deleteTask', task._id)
            else {
              put(task, lane, index)
              await owner.do('updateTask', task._id, { taskLane: lane, index })
            }
          }
        }
        const { tasks } = await owner.do('listTasks', b.trial)
        const expected = [...model].flatMap(([lane, tasks]) => tasks.map(({ _id }, index) => [_id, lane, index]))
        expect(tasks.map(({ _id, taskLane, index }) => [_id, taskLane, index])).toEqual(expected)
        for (const { _id } of tasks) await owner.do('deleteTask', _id)
      }),
      { numRuns: runs(25) },
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
    'in a complete lane (%p), with the requested status %p and %p before, is %p',
    (isComplete, asked, was, status) => {
      expect(statusIn(isComplete, asked, was && { status: was[0], isCompleteLane: was[1] })).toBe(status)
    },
  )

  test('is completed by moving into a complete lane, and pending again after leaving it', async () => {
    const b = await board()
    const { owner, add, done, toDo, doing } = b
    const task = await add('Order kits')
    const at = `/tasks/${task._id}` as const
    b.clock(DAY)
    const completed = { ...task, taskLane: done, status: 'completed' as const, completedAt: b.now() }
    expect(await owner.do('updateTask', task._id, { ...task, taskLane: done })).toEqual(completed)
    b.clock(DAY)
    expect(await owner.do('updateTask', task._id, { title: 'Order kits', status: 'completed' })).toEqual(completed)
    const { status, body } = await owner.call('PUT', at, { status: 'pending' })
    expect([status, body.message]).toEqual([400, 'Tasks in “Done” are completed. Put it into another lane.'])
    expect(await owner.do('updateTask', task._id, { ...completed, taskLane: toDo })).toEqual(task)
    expect(await owner.do('updateTask', task._id, { status: 'completed' })).toEqual({
      ...task,
      status: 'completed',
      completedAt: b.now(),
    })
    expect(await owner.do('updateTask', task._id, { taskLane: doing })).toMatchObject({
      status: 'completed',
      completedAt: b.now(),
    })
    expect(await owner.do('updateTask', task._id, { status: 'pending' })).toMatchObject({
      status: 'pending',
      completedAt: null,
    })
    expect(await add('Train', { taskLane: done })).toMatchObject({ status: 'completed', completedAt: b.now() })
    expect((await owner.call('POST', b.all, { title: 'x', taskLane: done, status: 'pending' })).status).toBe(400)
  })

  test('is announced to its assignees by e-mail once, but not to the person who assigned it', async () => {
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
    await owner.do('updateTask', task._id, { assignees: [owner._id, reader._id], title: 'Order more kits' })
    expect(mails()).toEqual([audited])
    await owner.do('updateTask', task._id, { assignees: [reader._id, writer._id] })
    expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, writer.email])
    await writer.do('updateTask', task._id, { assignees: [owner._id, writer._id] })
    expect(mails().map(({ recipient }) => recipient)).toEqual([reader.email, writer.email, owner.email])
    await writer.do('updateTask', task._id, { assignees: [] })
    db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(reader._id)
    await writer.do('updateTask', task._id, { assignees: [reader._id, writer._id] })
    expect(mails()).toHaveLength(3)
  })

  test('is assigned only to people who can read it, and keeps assignees who later cannot', async () => {
    const { owner, add, staff, trial, reader, all, invite, mails, db } = await board()
    const site = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const strangers = [invite(), staff(trial, ['trial.readParticipants']), staff(trial, ['site.admin'], site)]
    for (const { _id } of strangers) {
      const { status, body } = await owner.call('POST', all, { title: 'x', assignees: [reader._id, _id] })
      expect([status, body]).toEqual([
        400,
        {
          message: '1 of the assignees cannot read this task.',
          details: { code: 'taskAssignees', params: { count: 1 }, strangers: [_id] },
        },
      ])
    }
    expect([(await owner.do('listTasks', trial)).tasks, mails()]).toEqual([[], []])
    const task = await add('x', { assignees: [reader._id] })
    db.$client.query('DELETE FROM permissions WHERE user = ?').run(reader._id)
    const at = `/tasks/${task._id}` as const
    expect(await owner.do('updateTask', task._id, { ...task, title: 'y' })).toMatchObject({ assignees: [reader._id] })
    await owner.do('updateTask', task._id, { assignees: [] })
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

  test('may have texts up to the documented length', async () => {
    const { add } = await board()
    const long = { description: 'd'.repeat(5000) }
    expect(await add('t'.repeat(500), long)).toMatchObject({ title: 't'.repeat(500), ...long })
  })

  test('cannot be in a lane of another trial', async () => {
    const { owner, all, add, team, trial } = await board()
    const other = (await owner.do('createTrial', team, { name: 'Another' }))._id
    const { _id: taskLane } = firstOf((await owner.do('listTaskLanes', other)).lanes)
    const { _id } = await add('x')
    for (const lane of [taskLane, 'f'.repeat(24)]) {
      expect((await owner.call('POST', all, { title: 'x', taskLane: lane })).status).toBe(400)
      expect((await owner.call('PUT', `/tasks/${_id}`, { taskLane: lane })).status).toBe(400)
    }
    expect((await owner.do('listTasks', trial, { taskLane })).tasks).toEqual([])
  })

  test('is listed a page at a time, and by lane', async () => {
    const { owner, all, add, doing } = await board()
    for (const title of ['a', 'b', 'c']) await add(title)
    await add('d', { taskLane: doing })
    const read = async (query: string) => {
      const { tasks, nextPageAvailable } = await owner.get<'listTasks'>(`${all}?${query}`)
      return [tasks.map(({ title }) => title).join(''), nextPageAvailable]
    }
    expect(await read('perPage=3')).toEqual(['abc', true])
    expect(await read('perPage=3&page=2')).toEqual(['d', false])
    expect(await read('perPage=4')).toEqual(['abcd', false])
    expect(await read(`taskLane=${doing}`)).toEqual(['d', false])
    expect((await owner.call('GET', `${all}?perPage=1001`)).status).toBe(422)
  })
})
