/** The visits and windows of the schedule are those of the timelines, whichever way they are found. */
import { expect, test } from 'bun:test'
import { daysIn } from '#conduct/calendar/days'
import type { ParticipantSelection } from '#conduct/calendar/people'
import { readVisits } from '#conduct/calendar/readVisits'
import type { DayReader, Visit } from '#conduct/calendar/visits'
import { verifyProgress } from '#conduct/timeline/verify'
import { configuration } from '#design/configuration/configuration'
import { trialById } from '#design/trials/store'
import { newId } from '#kernel/id'
import { parseInstant } from '#kernel/time'
import { type ScheduleStudy, scheduleStudy } from './schedule.study'

const RANGE = { from: parseInstant('2026-02-20T00:00:00Z')!, to: parseInstant('2026-05-20T00:00:00Z')! }

/** Ids of nobody, more than `FEW`. */
const OTHERS = Array.from({ length: 130 }, () => newId(RANGE.from))

/** What the timelines of these participants say, as texts. */
async function expected({ owner, at, people }: ScheduleStudy, isWindow: boolean, some: readonly string[] = people) {
  const lines: string[] = []
  for (const [n, person] of people.entries()) {
    if (!some.includes(person)) continue
    for (const entry of (await owner.get<'readTimeline'>(`${at}/participants/${person}/stages`)).stages) {
      const when = isWindow ? entry.expiresAt : entry.enableAt
      if (!entry.visible || entry.adHoc || when == null || (isWindow && entry.completed)) continue
      lines.push(`${when} P-${n + 1} ${entry.name} ${isWindow ? false : entry.completed}`)
    }
  }
  return lines.sort()
}

/** Everything that a reader finds, in answers of at most `limit` entries. */
function allOf(read: DayReader<Visit>, limit: number): string[] {
  const lines: string[] = []
  for (const day of daysIn(RANGE, 'Europe/Berlin')) {
    for (let after: string | null | undefined; after !== null; ) {
      const found = read(day, limit, after ?? undefined)
      expect(found.entries.length).toBeLessThanOrEqual(limit)
      for (const { at, participantId, name, completed } of found.entries) {
        expect(at >= day.from && at < day.to).toBe(true)
        lines.push(`${new Date(at / 1000).toISOString().replace('Z', '000Z')} ${participantId} ${name} ${completed}`)
      }
      after = found.after
    }
  }
  return lines.sort()
}

function readersOf(
  { db, trial: id }: ScheduleStudy,
  isWindow: boolean,
  some?: Partial<ParticipantSelection>,
  few: string[] = [],
) {
  const trial = trialById(db, id)!
  const { timeline } = configuration(db, trial)
  const people: ParticipantSelection = { trial: id, scope: 'all', ...some }
  return {
    time: readVisits({ db, timeline, people, isWindow }, undefined, RANGE),
    person: readVisits({ db, timeline, people, isWindow }, few.toSorted(), RANGE),
    // With so many ids, forms that recur often are still read person by person.
    many: readVisits({ db, timeline, people, isWindow }, [...few, ...OTHERS].toSorted(), RANGE),
  }
}

async function requireEqual(s: ScheduleStudy): Promise<void> {
  expect(verifyProgress(s.db.$client)).toContain('5 participants')
  for (const isWindow of [false, true]) {
    const all = await expected(s, isWindow)
    const { time, person, many } = readersOf(s, isWindow, {}, s.people)
    for (const limit of [3, 1000]) expect(allOf(time, limit)).toEqual(all)
    for (const reader of [person, many]) expect(allOf(reader, 5)).toEqual(all)
  }
}

test('of a study with zones, windows, anchors, overrides and forms that wait for others', async () => {
  const s = await scheduleStudy()
  const { owner, at, people, stages, surgery } = s
  const [anna, bert, carl, dora] = people as [string, string, string, string]
  expect((await expected(s, false)).length).toBeGreaterThan(200)
  await requireEqual(s)
  await owner.put<'setAnchorDate'>(`${at}/participants/${anna}/anchors/${surgery}`, {
    datetime: '2026-03-22T01:30:00Z',
  })
  await owner.put<'setAnchorDate'>(`${at}/participants/${dora}/anchors/${surgery}`, {
    datetime: '2026-03-10T23:30:00Z',
  })
  await owner.call('PUT', `${at}/participants/${anna}/responses/${stages.weekly}::0`, { response: {} })
  await owner.call('PUT', `${at}/participants/${bert}/responses/${stages.diary}::4`, { response: {} })
  const override = (who: string, body: object) =>
    owner.post<'moveStageOpening'>(`${at}/participants/${who}/stageOverrides`, body)
  await override(bert, { stage: stages.diary, stageRecurrence: 3, enableAt: '2026-03-08T06:30:00Z' })
  await override(bert, {
    stage: stages.diary,
    stageRecurrence: 10,
    enableAt: '2026-03-30T10:00:00Z',
    applyToAllRecurrences: true,
  })
  await override(carl, { stage: stages.visit, enableAt: '2026-03-15T10:00:00Z', applyToAllRecurrences: true })
  await override(anna, {
    stage: stages.visit,
    stageRecurrence: 1,
    enableAt: '2026-03-27T01:30:00Z',
    applyToAllRecurrences: true,
  })
  await requireEqual(s)
})

test('after the zone, the site or the configuration changed, and without those who left', async () => {
  const s = await scheduleStudy()
  const { owner, at, people, north, stages } = s
  const [anna, bert, carl] = people as [string, string, string]
  await owner.put<'updateParticipant'>(`${at}/participants/${anna}`, { timezone: 'Asia/Tokyo' })
  await owner.do('addSiteMember', north, bert)
  await owner.do('updateStage', stages.diary, { recurringDuration: 20, enableAtTime: '08:00:00' })
  await requireEqual(s)
  await owner.put<'updateParticipant'>(`${at}/participants/${carl}`, { isWithdrawn: true })
  await owner.put<'updateParticipant'>(`${at}/participants/${anna}`, { isArchived: true })
  const { time } = readersOf(s, false)
  const rest = people.filter((each) => each !== anna && each !== carl)
  expect(allOf(time, 50)).toEqual(await expected(s, false, rest))
})

test('of some participants only', async () => {
  const s = await scheduleStudy()
  const { people, north, arm } = s
  const scopes: [Partial<ParticipantSelection>, (string | undefined)[]][] = [
    [{ site: north }, [people[0], people[2]]],
    [{ site: north, group: arm }, [people[2]]],
    [{ scope: { sites: [s.south], groups: [arm] } }, [people[1], people[2]]],
    [{ scope: { sites: [s.south], groups: [] }, group: arm }, []],
  ]
  for (const [some, expectedPeople] of scopes) {
    const few = expectedPeople.flatMap((each) => each ?? [])
    const { time } = readersOf(s, true, some)
    expect(allOf(time, 5)).toEqual(await expected(s, true, few))
  }
})
