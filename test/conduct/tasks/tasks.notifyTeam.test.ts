import { describe, expect, test } from 'bun:test'
import { firstOf, take } from '../../present'
import { study } from '../../study'

describe('notifyTeam', () => {
  const rule = {
    id: 'alarm',
    conditions: [{ id: 'high', operator: 'more', scoreThreshold: 4 }],
    actions: [{ id: 'tell', type: 'notifyTeam', message: 'Look at this.' }],
  }
  const scoringRules = [{ id: 'high', points: 5, operator: 'more', value: 100 }]
  const alarmed = () => study({ stage: { onSubmitRules: [rule], component: { pulse: { scoringRules } } } })

  test('creates one task for the trial’s admins, without answers or names', async () => {
    const s = await alarmed()
    const { owner, trial, anna, db } = s
    await owner.do('updateParticipant', trial, anna, { name: 'Anna Ash' })
    const admin = s.staff(trial, ['trial.admin'])
    s.staff(trial, ['trial.write'])
    const [toDo, doing] = take(2, (await owner.do('listTaskLanes', trial)).lanes)
    await owner.do('updateTaskLane', toDo._id, { isCompleteLane: true })
    await s.enter({ pulse: 60 })
    expect((await owner.do('listTasks', trial)).tasks).toEqual([])
    await s.enter({ pulse: 120, symptom: 'chest pain' })
    await s.enter({ pulse: 130 })
    const { tasks } = await owner.do('listTasks', trial)
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
    const { entries } = await owner.do('readLogs', trial, { type: 'createTask', userType: 'system' })
    expect(entries).toMatchObject([{ participantId: 'P-1', event: { after: { _id: firstOf(tasks)._id } } }])
    expect(JSON.stringify([tasks, entries])).not.toMatch(/\b120\b|chest|Anna/)
  })

  test('creates no task for a refused submission', async () => {
    const s = await alarmed()
    expect((await s.enter({ pulse: 120, symptom: 'x' })).status).toBe(400)
    expect((await s.owner.do('listTasks', s.trial)).tasks).toEqual([])
  })

  test('creates a task that is shown and assigned only to people who may see the score', async () => {
    const s = await alarmed()
    const { owner, trial, ids, staff } = s
    await s.enter({ pulse: 120 })
    const blind = staff(trial, ['trial.writeTasks'])
    const plain = staff(trial, ['trial.write'])
    const trusted = staff(trial, ['trial.write', 'trial.readParticipantStudyDataRestricted'])
    const { _id } = firstOf((await owner.do('listTasks', trial)).tasks)
    const who = async () => {
      const seeing = []
      for (const [index, person] of [blind, plain, trusted].entries()) {
        const { length } = (await person.do('listTasks', trial)).tasks
        const { status } = await person.call('PUT', `/tasks/${_id}`, {})
        const assigned = await owner.call('PUT', `/tasks/${_id}`, { assignees: [person._id] })
        expect([length, status, assigned.status]).toEqual(length ? [1, 200, 200] : [0, 404, 400])
        await owner.do('updateTask', _id, { assignees: [] })
        if (length) seeing.push(index)
      }
      return seeing
    }
    expect(await who()).toEqual([1, 2])
    await owner.do('updateDataType', ids.diary, { isPii: true })
    expect(await who()).toEqual([1, 2])
    await owner.do('updateDataType', ids.pulse, { isRestricted: true })
    expect(await who()).toEqual([2])
    await owner.do('updateDataType', ids.pulse, { isRestricted: false, isPii: true })
    expect(await who()).toEqual([])
    await owner.do('updateDataType', ids.pulse, { isPii: false })
    expect(await who()).toEqual([1, 2])
    const { entries } = await owner.do('readLogs', trial, { type: 'createTask', userType: 'system' })
    expect(entries).toHaveLength(1)
    expect(JSON.stringify(entries)).not.toContain('Look at this')
  })

  test('creates a task that is shown and assigned only to people who see the participant', async () => {
    const s = await alarmed()
    const { owner, trial, anna, staff, db } = s
    const site = async (id: string) => (await owner.do('createSite', trial, { name: `Site ${id}`, id }))._id
    const [north, south] = [await site('N1'), await site('S1')]
    const put = (user: string, scope: string, keys: string) =>
      db.$client.query('INSERT INTO permissions VALUES (?, ?, ?, ?)').run(user, trial, scope, keys)
    const [near, far] = [north, south].map((site) => {
      const nurse = staff(trial, ['trial.writeTasks'])
      put(nurse._id, site, '["site.readParticipantStudyData"]')
      return nurse
    })
    await owner.do('addSiteMember', north, anna)
    await s.enter({ pulse: 120 })
    await owner.do('createTask', trial, { title: 'About nobody' })
    const read = async (person: typeof owner | typeof near) => (await person!.do('listTasks', trial)).tasks
    const task = firstOf(await read(owner))
    expect(await read(near)).toHaveLength(2)
    expect((await read(far)).map(({ title }) => title)).toEqual(['About nobody'])
    const at = `/tasks/${task._id}` as const
    expect((await far!.call('PUT', at, { title: 'Mine' })).status).toBe(404)
    expect((await far!.call('DELETE', at)).status).toBe(404)
    expect((await owner.call('PUT', at, { assignees: [far!._id] })).status).toBe(400)
    expect((await owner.do('updateTask', task._id, { assignees: [near!._id] })).assignees).toEqual([near!._id])
    const entries = async (person: typeof owner) => (await person.do('readLogs', trial, { type: 'updateTask' })).entries
    expect(await entries(owner)).toMatchObject([{ participantId: 'P-1' }])
    await owner.do('deleteParticipant', trial, anna, { reason: 'A test.' })
    expect(await read(owner)).toHaveLength(2)
    expect(await read(near)).toHaveLength(1)
  })
})
