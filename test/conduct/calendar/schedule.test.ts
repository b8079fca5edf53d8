/** `GET /trials/…/schedule` as people see it. */
import { expect, test } from 'bun:test'
import { scheduleStudy } from './schedule.study'

type Entry = { type: string; day: string; at: string; name: string; participantId: string | null }

const brief = ({ type, day, name, participantId }: Entry) => `${day} ${type} ${participantId} ${name}`

test('by default it lists the next 7 days, by the days of the trial', async () => {
  const { owner, at, people, schedule } = await scheduleStudy()
  const about = `${at}/participants/${people[0]!}` as const
  await owner.post<'createEvent'>(`${about}/events`, { title: 'Scan', startsAt: '2026-03-04T23:30:00Z', duration: 20 }) // 00:30 in Berlin
  await owner.post<'createEvent'>(`${about}/events`, { title: 'Too late', startsAt: '2026-03-09T12:00:00Z' })
  await owner.post<'createMeeting'>(`${about}/meetings`, {
    name: 'Call',
    startAt: '2026-03-05T08:00:00Z',
    personnel: [owner._id],
  })
  await owner.post<'createTask'>(`${at}/tasks`, { title: 'Order kits', dueDate: '2026-03-05T10:00:00Z' })
  const answer = await owner.get<'readSchedule'>(schedule)
  expect(answer).toMatchObject({
    from: '2026-03-02T12:00:00.000000Z',
    to: '2026-03-09T12:00:00.000000Z',
    zone: 'Europe/Berlin',
    more: [],
    overdue: { participants: [{ participantId: 'P-3', stagesBehindSchedule: 1 }], participantCount: 1, tasks: [] },
  })
  const thursday = answer.schedule.filter(({ day }) => day === '2026-03-05').map(brief)
  expect(thursday).toEqual(
    [
      '2026-03-05 meeting P-1 Call',
      '2026-03-05 event P-1 Scan',
      '2026-03-05 task null Order kits',
      ...['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((id) => `2026-03-05 window ${id} Diary 3`).toSorted(),
      ...['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((id) => `2026-03-05 visit ${id} Diary 4`).toSorted(),
    ].map((line) => expect.stringContaining(line.slice(0, 17))),
  )
  expect(answer.schedule.find(({ name }) => name === 'Scan')).toMatchObject({ duration: 20, personnel: [] })
  expect(answer.schedule.map(({ name }) => name)).not.toContain('Too late')
  expect(answer.schedule.map(({ day }) => day)).toEqual(answer.schedule.map(({ day }) => day).toSorted())
})

test('one type, in pages', async () => {
  const { owner, at, people, schedule } = await scheduleStudy()
  for (let n = 0; n < 205; n++) {
    const startsAt = `2026-03-0${3 + (n % 3)}T0${n % 10}:00:00Z`
    await owner.post<'createEvent'>(`${at}/participants/${people[n % 5]!}/events`, { title: `E${n}`, startsAt })
  }
  const overview = await owner.get<'readSchedule'>(schedule)
  const events = overview.schedule.filter(({ type }) => type === 'event')
  expect([events.length, overview.more.map(({ type, day }) => `${type} ${day}`)]).toEqual([
    150,
    ['event 2026-03-03', 'event 2026-03-04', 'event 2026-03-05'],
  ])
  const seen: string[] = []
  for (let after = ''; ; ) {
    const page = await owner.call('GET', `${schedule}?type=event${after}`)
    seen.push(...page.body.schedule.map(({ name }: Entry) => name))
    expect(page.body.overdue).toBeUndefined()
    if (!page.body.more.length) break
    after = `&after=${encodeURIComponent(page.body.more[0].after)}`
  }
  expect(seen).toHaveLength(205)
  expect(new Set(seen).size).toBe(205)
  expect((await owner.get<'readSchedule'>(`${schedule}?type=meeting`)).schedule).toEqual([])
})

test('what an overview leaves out follows after the place that it gives', async () => {
  const { owner, schedule } = await scheduleStudy()
  const window = 'from=2026-03-10T00:00:00Z&to=2026-06-08T00:00:00Z'
  const overview = await owner.call('GET', `${schedule}?${window}`)
  const listed = overview.body.schedule.filter(({ type }: Entry) => type === 'visit').map(brief)
  const first = overview.body.more.find(({ type }: Entry) => type === 'visit')
  const rest = await owner.call('GET', `${schedule}?type=visit&${window}&after=${encodeURIComponent(first.after)}`)
  const more = rest.body.schedule.map(brief)
  const onFirst = (lines: string[]) => lines.filter((line) => line.startsWith(first.day))
  const all = await owner.call('GET', `${schedule}?type=visit&${window}`)
  expect([...onFirst(listed), ...onFirst(more)].sort()).toEqual(onFirst(all.body.schedule.map(brief)).sort())
  expect(onFirst(more).length).toBeGreaterThan(0)
})

test('a window of at most 92 days, and a place that nobody gave', async () => {
  const { owner, schedule } = await scheduleStudy()
  const statusOf = async (query: string) => (await owner.call('GET', `${schedule}?${query}`)).status
  expect(await statusOf('from=2026-03-02T00:00:00Z&to=2026-06-02T00:00:00Z')).toBe(200)
  expect(await statusOf('from=2026-03-02T00:00:00Z&to=2026-06-02T00:00:01Z')).toBe(422)
  expect(await statusOf('from=2026-03-02T00:00:00Z&to=2026-03-02T00:00:00Z')).toBe(422)
  expect(await statusOf('type=party')).toBe(422)
  for (const from of ['0100-01-01', '1899-12-31', '2200-01-02', '9999-12-31'])
    expect(await statusOf(`from=${from}T00:00:00Z`)).toBe(422)
  for (const from of ['1900-01-01', '2200-01-01']) expect(await statusOf(`from=${from}T00:00:00Z`)).toBe(200)
  for (const after of [
    'x',
    '2026-03-03 x',
    '2026-03-03 WzEsMl0',
    `2026-03-03 ${Buffer.from('["a","b",1,null,"c",{}]').toString('base64url')}`,
  ])
    for (const type of ['visit', 'event', 'task']) expect(await statusOf(`type=${type}&after=${after}`)).toBe(200)
})

test('what is overdue: participants behind schedule and tasks', async () => {
  const { owner, at, schedule, clock, service, people, stages } = await scheduleStudy()
  await owner.post<'createTask'>(`${at}/tasks`, { title: 'Order kits', dueDate: '2026-03-03T10:00:00Z' })
  await owner.post<'createTask'>(`${at}/tasks`, { title: 'Later', dueDate: '2026-03-30T10:00:00Z' })
  clock('2026-03-05T12:00:00Z')
  await service.services.tick()
  const { overdue } = await owner.get<'readSchedule'>(schedule)
  expect(overdue!.participantCount).toBe(5)
  expect(overdue!.participants[0]).toMatchObject({ participant: people[0], participantId: 'P-1' })
  expect(overdue!.tasks.map(({ title }) => title)).toEqual(['Order kits'])
  await owner.call('PUT', `${at}/participants/${people[0]!}/responses/${stages.diary}::3`, { response: {} })
  const today = (await owner.get<'readSchedule'>(schedule)).schedule.filter(
    ({ day, participantId }) => day === '2026-03-05' && participantId === 'P-1',
  )
  expect(today.filter(({ type }) => type === 'window').map(({ name }) => name)).toEqual([])
})

test('a coordinator of one site sees nothing of another, whatever the filters', async () => {
  const { owner, at, people, schedule, staff, trial, north, south, arm, clock, service } = await scheduleStudy()
  for (const person of people) {
    await owner.post<'createEvent'>(`${at}/participants/${person}/events`, {
      title: 'Scan',
      startsAt: '2026-03-04T10:00:00Z',
    })
    await owner.post<'createMeeting'>(`${at}/participants/${person}/meetings`, {
      name: 'Call',
      startAt: '2026-03-04T10:00:00Z',
    })
  }
  clock('2026-03-04T09:00:00Z')
  await service.services.tick()
  const coordinator = staff(trial, ['site.read'], south)
  const queries = ['', `?site=${north}`, `?group=${arm}`, `?site=${south}`, '?type=visit', `?type=event&site=${north}`]
  for (const query of queries) {
    const { body } = await coordinator.call('GET', `${schedule}${query}`)
    const ids = new Set(
      [...body.schedule, ...(body.overdue?.participants ?? [])].map((each: Entry) => each.participantId),
    )
    expect([...ids]).toEqual(query.includes(north) || query.includes(arm) ? [] : ['P-2'])
  }
  expect((await coordinator.get<'readSchedule'>(schedule)).overdue!.participantCount).toBe(1)
  expect((await staff(trial, ['trial.support']).call('GET', schedule)).status).toBe(403)
  const all = await owner.call('GET', `${schedule}?site=${north}&group=${arm}`)
  expect([...new Set(all.body.schedule.map(({ participantId }: Entry) => participantId))]).toEqual(['P-3'])
})
