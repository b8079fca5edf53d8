import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { checks } from '#cli/checks'
import type { Id } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { operations } from '#start/app'
import { type World, world } from '../../harness'
import { firstOf, present } from '../../present'
import { demo, PEOPLE, participantsOf } from './demoTrial.study'

const trialTime = (here: World) => parseInstant(here.now())!

describe('the demo study', () => {
  test('is complete at any time of day and year', async () => {
    const here = world()
    for (const now of [
      '2026-03-29T01:30:00Z',
      '2026-04-02T00:00:01Z',
      '2026-11-08T23:59:59Z',
      '2028-02-29T17:59:00Z',
    ]) {
      here.clock(now)
      const { trial } = await demo(here)
      expect(trial.responseCount).toBeGreaterThan(600)
    }
    for (const check of checks) expect(check.run(here.db.$client)).toBeString()
  })

  test('has a configuration that the operations accept', async () => {
    const here = world()
    const { trial } = await demo(here)
    const { stages } = await here.owner.do('listStages', trial._id)
    const { dataTypes } = await here.owner.do('listDataTypes', trial._id)
    const { anchors } = await here.owner.do('listAnchors', trial._id)
    const { stageGroups } = await here.owner.do('listStageGroups', trial._id)
    const { roles } = await here.owner.do('listRoles', trial._id)
    const { sites } = await here.owner.do('listSites', trial._id)
    const { groups } = await here.owner.do('listGroups', trial._id)
    const all = { 'data-types': dataTypes, stages, anchors, 'stage-groups': stageGroups, roles, sites, groups }
    for (const [noun, things] of Object.entries(all) as [keyof typeof all, { _id: Id }[]][]) {
      for (const thing of things) expect(await here.owner.put(`/${noun}/${thing._id}`, thing)).toMatchObject(thing)
    }
    expect(await here.owner.do('updateTrial', trial._id, trial)).toMatchObject({ code: trial.code })
    expect(JSON.stringify(all)).not.toContain('"#')
    expect(stages.map(({ name }) => name)).toEqual([
      'Enrolment',
      'About you and your asthma',
      'Diary, day %n',
      'Week %n',
      'Visit 2',
      'Follow-up',
      'Adverse event',
    ])
    const triggers = dataTypes.find(({ code }) => code === 'triggers')
    expect(triggers?.options?.map(({ label }) => label)).toEqual([
      'Pollen',
      'House dust',
      'Pets',
      'Cold air',
      'Exercise',
      'None',
    ])
    expect(anchors.map((each) => each.assignmentRule?.type)).toEqual([
      'manual',
      'participant_login',
      'stage_completion',
    ])
    expect([sites.length, groups.length, stageGroups.length, roles.length]).toEqual([3, 2, 3, 4])
    const formats = new Set(dataTypes.map(({ format }) => format))
    expect(formats.size).toBe(15)
    const copy = await here.owner.do('createTrial', here.team, { name: 'A copy', copyFrom: trial._id })
    expect(copy).toMatchObject({ stageCount: 7, dataTypeCount: 32 })
  })

  test('has participants of every kind, on and behind schedule', async () => {
    const here = world()
    const { trial } = await demo(here)
    const count = async (filter: string) => (await participantsOf(here, trial._id, filter)).length
    expect(await count('')).toBe(PEOPLE)
    expect(await count('&withdrawnWithdrawn=true')).toBe(3)
    expect(await count('&allocationUnallocated=true')).toBe(2)
    expect(await count('&joinedNotJoined=true')).toBe(5)
    expect(await count('&groupsIncludeNone=true')).toBe(2)
    expect((await here.owner.do('listParticipants', trial._id)).total).toBe(PEOPLE - 1)
    expect(await count('&scheduleBehind=true')).toBeGreaterThan(5)
    expect(await count('&scheduleOnSchedule=true')).toBeGreaterThan(5)
    const { sites } = await here.owner.do('listSites', trial._id)
    for (const { _id } of sites) expect(await count(`&site=${_id}`)).toBeGreaterThanOrEqual(13)
  })

  test('has no answers before a form opened, after it closed, or after the participant left', async () => {
    const here = world()
    const { trial } = await demo(here)
    let answered = 0
    for (const { _id, isWithdrawn } of await participantsOf(here, trial._id)) {
      const { stages } = await here.owner.do('readTimeline', trial._id, _id)
      for (const { visible, adHoc, completedAt, enableAt, expiresAt } of stages) {
        if (!visible || adHoc || completedAt === null) continue
        answered++
        expect(completedAt >= present(enableAt)).toBe(true)
        expect(completedAt <= here.now()).toBe(true)
        if (expiresAt) expect(completedAt < expiresAt).toBe(true)
      }
      const { responses } = await here.owner.do('readParticipantResponses', trial._id, _id)
      if (isWithdrawn) expect(responses.length).toBeLessThan(20)
    }
    expect(answered).toBeGreaterThan(500)
  })

  test('has answers to every form, improving scores, and a complete export', async () => {
    const here = world()
    const { trial } = await demo(here)
    const { stages } = await here.owner.do('listStages', trial._id)
    let rows = 0
    for (const { _id, name } of stages) {
      const { csv } = await here.owner.do('readStageResponses', trial._id, _id, { type: 'csv' })
      const lines = parse(csv, { columns: true }) as Record<string, string>[]
      expect([name, lines.length > 0]).toEqual([name, true])
      rows += lines.length
    }
    const archived = present((await participantsOf(here, trial._id)).find(({ isArchived }) => isArchived))
    const { responses } = await here.owner.do('readParticipantResponses', trial._id, archived._id)
    expect(responses.length).toBeGreaterThan(1)
    expect(rows).toBe(trial.responseCount - responses.length)
    const week = (from: number) =>
      here.db.$client
        .query<{ score: number }, [number]>(
          `SELECT avg(r.score) AS score FROM responses r JOIN stages s ON s._id = r.stage
           WHERE s.name = 'Diary, day %n' AND r.stageRecurrence BETWEEN ?1 AND ?1 + 6`,
        )
        .get(from)!.score
    expect(week(21)).toBeLessThan(week(0) - 1)
  })

  test('has threads between participants and the team, some of them unread', async () => {
    const here = world()
    const { trial } = await demo(here)
    expect(trial.hasUnreadMessages).toBe(true)
    const unread = await participantsOf(here, trial._id, '&unread=true')
    expect(unread.map(({ unreadCount }) => unreadCount)).toEqual([1, 2])
    let written = 0
    for (const { _id } of await participantsOf(here, trial._id)) {
      const { messages } = await here.owner.do('listMessages', trial._id, _id)
      written += messages.length
      expect(messages.map(({ createdAt }) => createdAt)).toEqual(messages.map(({ createdAt }) => createdAt).sort())
      for (const { createdAt, sender, isRead, readAt } of messages) {
        expect(createdAt < here.now()).toBe(true)
        expect(isRead).toBe(sender.type === 'user' || readAt !== null)
        if (readAt !== null) expect(readAt > createdAt && readAt < here.now()).toBe(true)
      }
    }
    expect(written).toBe(12)
  })

  test('has queries, verified fields, corrections with notes, and an audit trail that says it is invented', async () => {
    const here = world()
    const { trial } = await demo(here)
    const { queries } = await here.owner.do('listQueries', trial._id)
    const statuses = queries.map(({ status }) => status).sort()
    expect(statuses).toEqual([...Array(3).fill('answered'), ...Array(3).fill('closed'), ...Array(4).fill('open')])
    const one = (sql: string) => (here.db.$client.query(sql).get() as { n: number }).n
    expect(one('SELECT count(*) AS n FROM verifications')).toBeGreaterThan(50)
    expect(one('SELECT count(*) AS n FROM submissions WHERE updateNote IS NOT NULL')).toBeGreaterThan(3)
    expect(
      one(`SELECT count(*) AS n FROM auditEntries WHERE chain = '${trial._id}' AND event NOT LIKE '%"demo":true%'`),
    ).toBe(1)
    // The audit trail has the current time; the dates of the study are in the past.
    expect(one(`SELECT count(*) AS n FROM auditEntries WHERE createdAt <> ${trialTime(here)}`)).toBe(0)
    expect(one(`SELECT count(*) AS n FROM submissions WHERE at >= ${trialTime(here)}`)).toBe(0)
    expect(one('SELECT count(*) AS n FROM outbox')).toBe(0)
    // All its entries have types of operations.
    const types = here.db.$client.query<{ type: string }, []>('SELECT DISTINCT type FROM auditEntries').all()
    // The world of the test was written without operations.
    const known = new Set([...operations.map(({ logs }) => logs), 'changeRows'])
    expect(types.filter(({ type }) => !known.has(type))).toEqual([])
    const log = await here.owner.do('readLogs', trial._id, { userType: 'participant', type: 'submitResponse' })
    expect(log.total).toBeGreaterThan(400)
    expect(firstOf(log.entries).event).toMatchObject({ demo: true })
    for (const check of checks) expect(check.run(here.db.$client)).toBeString()
    await here.service.services.tick()
    expect(one(`SELECT count(*) AS n FROM outbox WHERE status <> 'unreachable'`)).toBe(0)
  })
})
