/** The log by participant, account, data type and day. */
import { expect, test } from 'bun:test'
import { entriesBefore, type LogFilter } from '#exchange/logs/store'
import { DAY } from '#kernel/time'
import { world } from '../../harness'
import { collectStatements, explained } from '../../plan'
import { study } from '../../study'
import { at, enrol, write } from './logs.study'

type ShownEntry = { event: { changes: { dataType: string; after: unknown }[] } }

test('by participant, account and day, together and page by page', async () => {
  const w = world()
  const trial = w.trial()
  await w.owner.do('updateTrial', trial, { timezone: 'Europe/Berlin' })
  const [one, two] = [enrol(w, trial, 'P-1'), enrol(w, trial, 'P-2')]
  const nurse = w.staff(trial, ['trial.write'])
  // 23:30 in Berlin on 2 March, and an hour later.
  const late = at + 10.5 * (DAY / 24)
  write(w, trial, { type: 'a', participant: one, createdAt: at })
  write(w, trial, { type: 'b', participant: two, user: nurse._id, createdAt: at })
  write(w, trial, { type: 'c', participant: one, user: nurse._id, createdAt: late })
  write(w, trial, { type: 'd', participant: one, createdAt: late + DAY / 24 })
  write(w, w.trial(), { type: 'other', participant: one, user: nurse._id })
  const found = async (query: string) => {
    const page = (await w.owner.call('GET', `/trials/${trial}/logs?${query}`)).body
    expect(page).not.toHaveProperty('total')
    return page.entries.map(({ type }: { type: string }) => type).filter((type: string) => type.length === 1)
  }
  expect(await found(`participant=${one}`)).toEqual(['d', 'c', 'a'])
  expect(await found(`user=${nurse._id}`)).toEqual(['c', 'b'])
  expect(await found(`user=${nurse._id}&participant=${one}`)).toEqual(['c'])
  expect(await found(`participant=${one}&type=a`)).toEqual(['a'])
  expect(await found(`participant=${one}&userType=participant`)).toEqual([])
  expect(await found('from=2026-03-03')).toEqual(['d'])
  expect(await found('to=2026-03-02')).toEqual(['c', 'b', 'a'])
  expect(await found(`from=2026-03-02&to=2026-03-02&participant=${one}`)).toEqual(['c', 'a'])
  expect(await found(`participant=${'0'.repeat(24)}`)).toEqual([])
  for (let n = 0; n < 40; n++) write(w, trial, { participant: two, createdAt: late + 2 * DAY })
  const pages = [1, 2, 3].map((page) => w.owner.do('readLogs', trial, { participant: two, page }))
  expect(
    (await Promise.all(pages)).map(({ entries, nextPageAvailable }) => [entries.length, nextPageAvailable]),
  ).toEqual([
    [30, true],
    [11, false],
    [0, false],
  ])
  const { csv } = (await w.owner.call('GET', `/trials/${trial}/logs?participant=${two}&format=csv`)).body
  expect(csv.trim().split('\n')).toHaveLength(42)
})

test('by day, also what was written after entries of a clock that was ahead', async () => {
  const w = world()
  const trial = w.trial()
  const days = (n: number) => at + n * DAY
  for (let n = 0; n < 10; n++) write(w, trial, { type: 'before', createdAt: days(0) })
  for (let n = 0; n < 8; n++) write(w, trial, { type: 'ahead', createdAt: days(365) })
  for (let n = 0; n < 15; n++) write(w, trial, { type: 'after', createdAt: days(1) })
  const found = async (query: string) => {
    const { entries } = (await w.owner.call('GET', `/trials/${trial}/logs?${query}`)).body
    const types = entries.map(({ type }: { type: string }) => type)
    return ['before', 'ahead', 'after'].map((type) => types.filter((each: string) => each === type).length)
  }
  expect(await found('to=2026-03-10')).toEqual([10, 0, 15])
  expect(await found('from=2026-03-03&to=2026-03-10')).toEqual([0, 0, 15])
  expect(await found('to=2026-03-02')).toEqual([10, 0, 0])
})

test.each([
  ['from=yesterday', 'from'],
  ['to=2026-02-30', 'to'],
  ['participant=P-1', 'participant'],
  ['user=%00', 'user'],
  [`dataType=${'a'.repeat(24)}`, 'dataType'],
])('refuses the filter %s', async (query, field) => {
  const w = world()
  const { status, body } = await w.owner.call('GET', `/trials/${w.trial()}/logs?${query}`)
  expect([status, Object.keys(body.validations.query)]).toEqual([422, [field]])
})

test('by data type: the submissions of a participant whose shown changes have it', async () => {
  const s = await study()
  const { owner, trial, anna, ids } = s
  await s.enter({ pulse: 60 })
  await s.enter({ pulse: 61 })
  await s.enter({ pulse: 61, symptom: 'Slept well' })
  await s.enter({ pulse: 70 }, {}, owner, s.url(s.bert))
  const of = async (reader: typeof owner, dataType: string, more = '') => {
    const url = `/trials/${trial}/logs?participant=${anna}&dataType=${dataType}${more}`
    const { entries }: { entries: ShownEntry[] } = (await reader.call('GET', url)).body
    return entries.map(({ event }) => event.changes.map(({ after }) => after))
  }
  expect(await of(owner, ids.pulse!)).toEqual([
    // The double of it is calculated.
    [61, 122],
    [60, 120],
  ])
  expect(await of(owner, ids.symptom!)).toEqual([['Slept well']])
  expect(await of(owner, ids.pulse!, '&type=createGroup')).toEqual([])
  await owner.do('updateDataType', ids.pulse, { isRestricted: true })
  const reader = s.staff(trial, ['trial.readLogs', 'trial.readParticipants', 'trial.readParticipantStudyData'])
  // A reader who may not see the answers does not learn when they changed.
  expect(await of(reader, ids.pulse!)).toEqual([])
  expect(await of(reader, ids.symptom!)).toEqual([['Slept well']])
  expect(await of(reader, 'f'.repeat(24))).toEqual([])
})

test('the entries of a participant, an account or some days are found by an index', () => {
  const w = world()
  const trial = w.trial()
  const participant = enrol(w, trial, 'P-1')
  for (let n = 0; n < 50; n++) write(w, trial, { createdAt: at + n * DAY })
  const plan = (filter: Partial<LogFilter>) => {
    const collector = collectStatements(w.db.$client)
    entriesBefore(w.db, { chain: trial, userType: 'user', type: 'createGroup', ...filter }, 1000, 31)
    const sql = collector.end().at(-1)!
    return JSON.stringify(explained(w.db.$client, sql))
  }
  expect(plan({ participant })).toContain('auditByParticipant (chain=? AND participant=? AND number<?)')
  expect(plan({ user: w.owner._id })).toContain('auditByUser (chain=? AND user=? AND number<?)')
  expect(plan({ from: at + 20 * DAY, before: at + 21 * DAY })).toContain('number>? AND number<?')
})
