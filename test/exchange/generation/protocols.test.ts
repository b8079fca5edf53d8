import { expect, test } from 'bun:test'
import type { Id } from '#kernel/id'
import { world } from '../../harness'
import { present } from '../../present'

/**
 * A cancer study as a sponsor writes it: screening, seven evenings of run-in, days 1, 8 and 15 of two cycles of 21 days,
 * an assessment every 42 days within 3 days to either side, a follow-up 28 days after the last visit, adverse events at
 * any time. All moments below were counted by hand on a calendar.
 */
async function oncology() {
  const at = world()
  const { owner, team, nobody } = at
  const trial: Id = (await owner.do('createTrial', team, { name: 'Lung' }))._id
  const { code } = await owner.do('updateTrial', trial, { timezone: 'Europe/Berlin' })
  const field = (await owner.do('createDataType', trial, { name: 'Done', format: 'integer' }))._id
  const arm = (await owner.do('createGroup', trial, { name: 'Biopsies' }))._id
  const dose = (await owner.do('createAnchor', trial, { name: 'First dose' }))._id
  const make = async (name: string, fields: Record<string, unknown> = {}): Promise<Id> =>
    (
      await owner.do('createStage', trial, {
        name,
        components: [{ id: 'a', dataType: field, title: 'Done' }],
        ...fields,
      })
    )._id
  const afterDose = (delay: number) => ({ enableAfter: { type: 'anchor', anchor: dose, delay } })
  const screening = await make('Screening')
  const runIn = await make('Evening %n', {
    description: 'The %n. of 7',
    isRecurring: true,
    recurringFrequency: 1,
    recurringDuration: 7,
    enableAfter: { type: 'stage', stage: screening, stageRecurrence: 0, delay: 1 },
    enableAtTime: '20:00:00',
    availabilityWindowHours: 6,
  })
  const visits = await make('Visit %n', {
    isAnchored: true,
    anchorSchedule: [0, 7, 14, 21, 28, 35].map((dayOffset) => ({ anchor: dose, dayOffset })),
    recurrenceNames: ['C1D1', 'C1D8', 'C1D15', 'C2D1'],
    enableAtTime: '00:00:00',
    availabilityWindowHours: 72,
  })
  const assessment = await make('Assessment %n', {
    isRecurring: true,
    recurringFrequency: 42,
    recurringDuration: 84,
    ...afterDose(39),
    enableAtTime: '00:00:00',
    availabilityWindowHours: 168,
  })
  const followUp = await make('Follow-up', {
    enableAfter: { type: 'stage', stage: visits, stageRecurrence: 5, delay: 28 },
    enableAtTime: '09:00:00',
    availabilityWindowHours: 336,
  })
  const biopsy = await make('Biopsy', { availableToGroups: [arm], ...afterDose(0), exemptFromBehindStatus: true })
  const adverse = await make('Adverse event', { adHoc: true })
  await make('Pharmacy log', { enabled: false })
  await make('What do you think?', { isPoll: true })
  const anna = (await owner.do('registerParticipants', trial, { participantId: 'P-1', password: 'correct horse' }))._id
  const signIn = { trialCode: code, participantId: 'P-1', password: 'correct horse' }
  const me = at.person({ Authorization: `Bearer ${(await nobody.do('signInParticipant', signIn)).token}` })
  await me.do('updateOwnParticipant', { timezone: 'America/New_York' })
  const own = `/participants/trials/${trial}/stages` as const
  const people = `/trials/${trial}/participants` as const
  type ShownStage = { _id: string; name: string; enableAt: string | null; expiresAt?: string | null }
  return {
    ...at,
    ...{ trial, arm, dose, screening, runIn, visits, assessment, followUp, biopsy, adverse, anna, me, people },
    own: () => me.do('readOwnTimeline', trial),
    submit: (path: string) => me.call('POST', `${own}/${path}/responses`, { [field]: { value: 1 } }),
    enter: (path: string) =>
      owner.call('PUT', `${people}/${anna}/responses/${path}`, { response: { [field]: { value: 1 } } }),
    /** The openings and expiries of a stage. */
    async times(stage: Id): Promise<string[]> {
      const { stages } = await me.do('readOwnTimeline', trial)
      return stages
        .filter(({ _id }: ShownStage) => _id.startsWith(stage))
        .map(({ enableAt, expiresAt }: ShownStage) =>
          [enableAt, expiresAt].map((time) => time?.slice(5, 16) ?? '-').join(' '),
        )
    },
    progress: async () => (await owner.do('readParticipant', trial, anna)).progress,
    behind: async () =>
      (await owner.do('listParticipants', trial, { scheduleBehind: true })).participants.map(({ id }) => id),
  }
}

test('a protocol runs from screening to follow-up, over changes of the clocks, dates, groups and zones', async () => {
  const study = await oncology()
  const { own, submit, enter, times, progress, behind, clock, owner, service, me, people, anna } = study
  const { screening, runIn, visits, assessment, followUp, biopsy, adverse, dose, arm, trial } = study

  // At first only screening and adverse events are open; waiting stages have no time. The poll and the log are hidden.
  const { stages } = await own()
  expect(stages.map(({ name }) => name)).toEqual([
    'Screening',
    ...[1, 2, 3, 4, 5, 6, 7].map((n) => `Evening ${n}`),
    ...['C1D1', 'C1D8', 'C1D15', 'C2D1', 'Visit 5', 'Visit 6'],
    ...['Assessment 1', 'Assessment 2', 'Follow-up', 'Adverse event'],
  ])
  expect(present(stages[3]).description).toBe('The 3. of 7')
  expect(stages.filter(({ enabled }) => enabled).map(({ _id }: { _id: Id }) => _id)).toEqual([screening, adverse])
  expect(await times(runIn)).toEqual(Array.from({ length: 7 }, () => '- -'))

  // Completed on Monday 2 March in New York: seven evenings from the 3rd, the clocks go forward on the 8th.
  expect((await submit(screening)).status).toBe(200)
  expect(await times(runIn)).toEqual([
    ...['03-04T01:00 03-04T07:00', '03-05T01:00 03-05T07:00', '03-06T01:00 03-06T07:00'],
    ...['03-07T01:00 03-07T07:00', '03-08T01:00 03-08T07:00', '03-09T00:00 03-09T06:00', '03-10T00:00 03-10T06:00'],
  ])
  expect((await submit(`${runIn}::0`)).status).toBe(403)
  clock('2026-03-04T01:00:00Z')
  expect((await submit(`${runIn}::0`)).status).toBe(200)
  // Six evenings are missed: each is behind from the end of its window, the last from 06:00 on the 10th.
  clock('2026-03-10T05:59:59Z')
  await service.services.tick()
  expect(await progress()).toEqual({ ratioComplete: 2 / 17, stagesBehindSchedule: 5 })
  clock('2026-03-10T14:00:00Z')
  await service.services.tick()
  expect([await progress(), await behind()]).toEqual([{ ratioComplete: 2 / 17, stagesBehindSchedule: 6 }, ['P-1']])
  expect((await submit(`${runIn}::6`)).body.message).toContain('passed')
  expect((await enter(`${runIn}::6`)).status).toBe(200) // entered by staff from the paper diary
  expect(await progress()).toEqual({ ratioComplete: 3 / 17, stagesBehindSchedule: 5 })

  // The first dose, at 10:00 in New York. Midnight there is 04:00 UTC.
  await owner.put<'setAnchorDate'>(`${people}/${anna}/anchors/${dose}`, { datetime: '2026-03-10T14:00:00Z' })
  expect(await times(visits)).toEqual([
    ...['03-10T04:00 03-13T04:00', '03-17T04:00 03-20T04:00', '03-24T04:00 03-27T04:00'],
    ...['03-31T04:00 04-03T04:00', '04-07T04:00 04-10T04:00', '04-14T04:00 04-17T04:00'],
  ])
  expect(await times(assessment)).toEqual(['04-18T04:00 04-25T04:00', '05-30T04:00 06-06T04:00'])
  expect((await submit(`${visits}::0`)).status).toBe(200)
  // A group has a stage of its own, which counts from then on.
  expect(await times(biopsy)).toEqual([])
  expect((await submit(biopsy)).status).toBe(404)
  await owner.do('addGroupMember', arm, anna)
  expect([await times(biopsy), (await own()).ratioComplete]).toEqual([['03-10T14:00 -'], 4 / 18])

  // Day 8 and all later visits move by two days; the assessments stay.
  const moved = { stage: visits, stageRecurrence: 1, enableAt: '2026-03-19T04:00:00Z', applyToAllRecurrences: true }
  await owner.post<'moveStageOpening'>(`${people}/${anna}/stageOverrides`, moved)
  const opened = async () => (await times(visits)).map((time) => time.slice(0, 11))
  expect(await opened()).toEqual([
    ...['03-10T04:00', '03-19T04:00', '03-26T04:00', '04-02T04:00', '04-09T04:00', '04-16T04:00'],
  ])
  expect((await times(assessment))[0]).toBe('04-18T04:00 04-25T04:00')
  // She moves to London: openings are at midnight there, moved ones at 04:00, over the change of clocks on 29 March.
  await me.do('updateOwnParticipant', { timezone: 'Europe/London' })
  expect(await opened()).toEqual([
    ...['03-10T00:00', '03-19T04:00', '03-26T04:00', '04-02T03:00', '04-09T03:00', '04-16T03:00'],
  ])
  const asked = new URLSearchParams(Object.entries(moved).map(([field, value]) => [field, String(value)]))
  await owner.delete<'restoreStageOpening'>(`${people}/${anna}/stageOverrides?${asked}`)
  expect(await opened()).toEqual([
    ...['03-10T00:00', '03-17T00:00', '03-24T00:00', '03-30T23:00', '04-06T23:00', '04-13T23:00'],
  ])

  // 28 days after the last visit was completed, 16 April, at nine in London.
  expect(await times(followUp)).toEqual(['- -'])
  clock('2026-04-16T10:00:00Z')
  expect((await submit(`${visits}::5`)).status).toBe(200)
  expect(await times(followUp)).toEqual(['05-14T08:00 05-28T08:00'])
  clock('2026-05-14T07:59:59Z')
  expect((await submit(followUp)).status).toBe(403)
  clock('2026-05-14T08:00:00Z')
  expect((await me.do('openStage', trial, followUp)).enabled).toBe(true)
  clock('2026-05-28T08:00:00Z')
  const late = (await own()).stages.find(({ _id }) => _id === followUp)
  expect(late).toMatchObject({ enabled: false, expired: true, completed: false })
  expect((await submit(followUp)).status).toBe(403)
  expect((await enter(followUp)).status).toBe(200)
  // Five evenings, four visits and the first assessment were never answered; the second is due in two days.
  await service.services.tick()
  expect(await progress()).toEqual({ ratioComplete: 6 / 18, stagesBehindSchedule: 10 })
})
