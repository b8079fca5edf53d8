/** A study whose participants live in several zones, with recurring, windowed, waiting and moved forms. */
import { buildOnce } from '../../buildOnce'
import { world } from '../../harness'

export async function scheduleStudy() {
  const { w, made } = await buildOnce('schedule study', async () => {
    const w = world()
    const { owner, team } = w
    const trial = (await owner.do('createTrial', team, { name: 'Sleep study' }))._id
    await owner.do('updateTrial', trial, { timezone: 'Europe/Berlin' })
    const north = (await owner.do('createSite', trial, { name: 'North', id: 'N1' }))._id
    const south = (await owner.do('createSite', trial, { name: 'South', id: 'S1' }))._id
    const arm = (await owner.do('createGroup', trial, { name: 'Arm A' }))._id
    const { participants } = await owner.do('registerParticipants', trial, {
      participants: ['P-1', 'P-2', 'P-3', 'P-4', 'P-5'].map((participantId) => ({ participantId })),
    })
    const people = participants.map(({ _id }) => _id)
    const zones = ['Europe/Berlin', 'America/New_York', 'Asia/Tokyo']
    for (const [n, zone] of zones.entries()) await owner.do('updateParticipant', trial, people[n]!, { timezone: zone })
    for (const n of [0, 2]) await owner.do('addSiteMember', north, people[n]!)
    await owner.do('addSiteMember', south, people[1]!)
    await owner.do('addGroupMember', arm, people[2]!)
    const surgery = (await owner.do('createAnchor', trial, { name: 'Surgery', assignmentRule: { type: 'manual' } }))._id
    const diary = await owner.do('createStage', trial, {
      name: 'Diary %n',
      isRecurring: true,
      recurringFrequency: 1,
      recurringDuration: 40,
      enableAtTime: '02:30:00', // the clocks of Berlin skip it on 29 March, those of New York on 8 March
      availabilityWindowHours: 12,
    })
    const weekly = await owner.do('createStage', trial, {
      name: 'Week %n',
      isRecurring: true,
      recurringFrequency: 7,
      recurringDuration: 60,
      availableToSites: [north],
    })
    const follow = await owner.do('createStage', trial, {
      name: 'Follow-up',
      enableAfter: { type: 'stage', stage: weekly._id, stageRecurrence: 0, delay: 3 },
      availabilityWindowHours: 48,
    })
    const visit = await owner.do('createStage', trial, {
      name: 'Visit',
      isAnchored: true,
      anchorSchedule: [0, 7, 7, 30].map((dayOffset) => ({ anchor: surgery, dayOffset })),
    })
    await owner.do('createStage', trial, { name: 'Complaint', adHoc: true })
    await owner.do('createStage', trial, { name: 'Hidden', enabled: false })
    const stages = { diary: diary._id, weekly: weekly._id, follow: follow._id, visit: visit._id }
    return { w, made: { trial, north, south, arm, surgery, people, stages } }
  })
  const { trial } = made
  return { ...w, ...made, at: `/trials/${trial}` as const, schedule: `/trials/${trial}/schedule` as const }
}

export type ScheduleStudy = Awaited<ReturnType<typeof scheduleStudy>>
