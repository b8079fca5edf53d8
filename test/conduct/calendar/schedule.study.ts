/** A study whose participants live in several zones, with recurring, windowed, waiting and moved forms. */
import { buildOnce } from '../../buildOnce'
import { world } from '../../harness'

export async function scheduleStudy() {
  const { w, made } = await buildOnce('schedule study', async () => {
    const w = world()
    const { owner, team } = w
    const trial = (await owner.post(`/teams/${team}/trials`, { name: 'Sleep study' }))._id
    const at = `/trials/${trial}` as const
    await owner.put(at, { timezone: 'Europe/Berlin' })
    const north = (await owner.post(`${at}/sites`, { name: 'North', id: 'N1' }))._id
    const south = (await owner.post(`${at}/sites`, { name: 'South', id: 'S1' }))._id
    const arm = (await owner.post(`${at}/groups`, { name: 'Arm A' }))._id
    const { participants } = await owner.post(`${at}/participants`, {
      participants: ['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((participantId) => ({ participantId })),
    })
    const people = participants.map(({ _id }) => _id)
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
    for (const [n, zone] of zones.entries()) await owner.put(`${at}/participants/${people[n]!}`, { timezone: zone })
    for (const n of [0, 2]) await owner.put(`/sites/${north}/memberships/${people[n]!}`)
    await owner.put(`/sites/${south}/memberships/${people[1]!}`)
    await owner.put(`/groups/${arm}/memberships/${people[2]!}`)
    const surgery = (await owner.post(`${at}/anchors`, { name: 'Surgery', assignmentRule: { type: 'manual' } }))._id
    const diary = await owner.post(`${at}/stages`, {
      name: 'Diary %n',
      isRecurring: true,
      recurringFrequency: 1,
      recurringDuration: 40,
      enableAtTime: '02:30:00', // the clocks of Berlin skip it on 29 March, those of New York on 8 March
      availabilityWindowHours: 12,
    })
    const weekly = await owner.post(`${at}/stages`, {
      name: 'Week %n',
      isRecurring: true,
      recurringFrequency: 7,
      recurringDuration: 60,
      availableToSites: [north],
    })
    const follow = await owner.post(`${at}/stages`, {
      name: 'Follow-up',
      enableAfter: { type: 'stage', stage: weekly._id, stageRecurrence: 0, delay: 3 },
      availabilityWindowHours: 48,
    })
    const visit = await owner.post(`${at}/stages`, {
      name: 'Visit',
      isAnchored: true,
      anchorSchedule: [0, 7, 7, 30].map((dayOffset) => ({ anchor: surgery, dayOffset })),
    })
    await owner.post(`${at}/stages`, { name: 'Complaint', adHoc: true })
    await owner.post(`${at}/stages`, { name: 'Hidden', enabled: false })
    const stages = { diary: diary._id, weekly: weekly._id, follow: follow._id, visit: visit._id }
    return { w, made: { trial, north, south, arm, surgery, people, stages } }
  })
  const { trial } = made
  return { ...w, ...made, at: `/trials/${trial}` as const, schedule: `/trials/${trial}/schedule` as const }
}

export type ScheduleStudy = Awaited<ReturnType<typeof scheduleStudy>>
