import { describe, expect, test } from 'bun:test'
import { permissions, sessions } from '#db/tables/index'
import { newId, newSecret, sha256 } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import type { Person, World } from '../../harness'
import { until } from '../../until'
import { done, largeStudy, pending, tickWith, upToDate } from './timelineUpdates.study'

/** A person in the web app who has just confirmed their identity. */
function inTheWebApp(w: World) {
  const secret = newSecret()
  const now = parseInstant(w.now())!
  const session = { _id: newId(now), createdAt: now, user: w.owner._id, hash: sha256(secret), lastSeenAt: now }
  w.db
    .insert(sessions)
    .values({ ...session, csrfToken: 'csrf', expiresAt: now + DAY, confirmedAt: now })
    .run()
  return w.person({ Cookie: `trialbox_session=${secret}`, 'X-CSRF-Token': 'csrf' })
}

describe('a job is started by', () => {
  type LargeStudy = Awaited<ReturnType<typeof largeStudy>>
  const changes: [what: string, change: (s: LargeStudy) => ReturnType<Person['call']>][] = [
    ['the zone of the trial', (s) => s.owner.call('PUT', `/trials/${s.trial}`, { timezone: 'Pacific/Auckland' })],
    ['archiving it', (s) => s.owner.call('PUT', `/trials/${s.trial}`, { isArchived: true })],
    [
      'locking its database',
      (s) =>
        inTheWebApp(s.w).call('PUT', `/trials/${s.trial}`, {
          isDatabaseLocked: true,
          databaseLockJustification: 'The study is over.',
        }),
    ],
    ['another stage', (s) => s.owner.call('POST', `/trials/${s.trial}/stages`, { name: 'Visit' })],
    ['a stage deleted', (s) => s.owner.call('DELETE', `/stages/${s.stage}`)],
    ['a stage switched off', (s) => s.owner.call('PUT', `/stages/${s.stage}`, { enabled: false })],
    ['a stage limited to no groups', (s) => s.owner.call('PUT', `/stages/${s.stage}`, { availableToGroups: [] })],
    ['a stage limited to no sites', (s) => s.owner.call('PUT', `/stages/${s.stage}`, { availableToSites: [] })],
    ['an anchor', (s) => s.owner.call('POST', `/trials/${s.trial}/anchors`, { name: 'Surgery' })],
    ['a group', (s) => s.owner.call('POST', `/trials/${s.trial}/groups`, { name: 'Arm' })],
    ['a site', (s) => s.owner.call('POST', `/trials/${s.trial}/sites`, { name: 'Berlin', id: 'BER' })],
  ]

  test.each(changes)('%s', async (_, change) => {
    const s = await largeStudy(60)
    s.clock(8 * DAY)
    const answer = await change(s)
    expect([answer.status, answer.body.message]).toEqual([200, undefined])
    const job = answer.headers.get('x-job')
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0, 60) })
    if (answer.body.timelineUpdate) expect(answer.body.timelineUpdate).toEqual(await s.update())
    await s.services.tick()
    expect(await s.owner.do('readJob', job)).toEqual(done(60))
    expect(await s.update()).toBeNull()
    s.isRight()
  })

  test('a group is removed from the groups of a stage: the timelines of its members are recalculated', async () => {
    const s = await largeStudy(60)
    const [arm, other] = await Promise.all(
      ['Arm', 'Other'].map(async (name) => (await s.owner.do('createGroup', s.trial, { name }))._id),
    )
    const updates = s.people.map((participant, n) => ({ participant, groups: [n % 2 ? arm : other] }))
    await s.owner.do('updateParticipants', s.trial, { updates })
    await s.owner.do('updateStage', s.stage, { availableToGroups: [arm] })
    s.clock(3 * DAY)
    await s.services.tick()
    const [none, some] = [0, 3].map((behind) => ({ behind, people: 30 }))
    expect(s.behind()).toEqual([none!, some!])
    const job = await s.started(s.owner.call('PUT', `/stages/${s.stage}`, { availableToGroups: null }))
    await s.services.tick()
    expect(await s.owner.do('readJob', job)).toEqual(done(60))
    expect(s.behind()).toEqual([{ behind: 3, people: 60 }])
  })

  test('the response to PUT shows the update', async () => {
    const s = await largeStudy(60)
    const { body, headers } = await s.owner.call('PUT', `/trials/${s.trial}`, { timezone: 'Asia/Tokyo' })
    expect(body.timelineUpdate).toEqual({ jobId: headers.get('x-job'), progress: upToDate(0, 60) })
    // A client may send it back; like every read-only field it is ignored.
    expect((await s.owner.call('PUT', `/trials/${s.trial}`, body)).status).toBe(200)
  })

  test('an account restricted to a site sees no numbers of the whole trial', async () => {
    const s = await largeStudy(60)
    const site = (await s.owner.do('createSite', s.trial, { name: 'Berlin', id: 'BER' }))._id
    await s.services.tick()
    const local = s.staff(s.trial, ['site.read'], site)
    s.db
      .insert(permissions)
      .values({ user: local._id, trial: s.trial, scope: s.trial, keys: ['trial.writeSites'] })
      .run()
    const job = await s.started(local.call('PUT', `/sites/${site}`, { name: 'Berlin Mitte' }))
    const progress = 'Participants are being brought up to date.'
    expect(await s.update(local)).toEqual({ jobId: job, progress })
    const texts = new Set<string>()
    await tickWith(s.services, async () => texts.add((await local.do('readJob', job)).progress))
    expect([...texts]).toEqual(['Waiting to start.', progress, 'Done.'])
    expect(await local.do('readJob', job)).toEqual({ ...pending('Done.'), status: 'done', result: {} })
  })
})

describe('a bulk change', () => {
  test('of many memberships starts a job if stages are limited to a group', async () => {
    const s = await largeStudy(250)
    const { owner, trial, stage, services } = s
    const { _id: group } = await owner.do('createGroup', trial, { name: 'Treatment' })
    await owner.do('updateStage', stage, { availableToGroups: [group] })
    s.clock(8 * DAY)
    await services.tick()
    expect(s.behind()).toEqual([{ behind: 0, people: 250 }])
    const updates = s.people.map((participant) => ({ participant, groups: [group] }))
    const job = await s.started(owner.call('PATCH', `/trials/${trial}/participants`, { updates }))
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0, 250) })
    expect(await owner.do('readJob', job)).toEqual(pending('Waiting to start.'))
    await services.tick()
    expect(await owner.do('readJob', job)).toEqual(done(250))
    expect([await s.update(), s.behind()]).toEqual([null, [{ behind: 8, people: 250 }]])
    s.isRight()
  })

  test.each([100, 101])(
    'of %i participants: up to a hundred are recalculated at once, without a job',
    async (count) => {
      const s = await largeStudy(120)
      const { owner, trial, people } = s
      const { _id: group } = await owner.do('createGroup', trial, { name: 'Treatment' })
      await s.services.tick()
      const updates = people.slice(0, count).map((participant) => ({ participant, groups: [group] }))
      const job = await s.started(owner.call('PATCH', `/trials/${trial}/participants`, { updates }))
      expect(job === null).toBe(count === 100)
      expect((await s.update()) === null).toBe(count === 100)
      await s.services.tick()
      s.isRight()
    },
  )
})

describe('a small trial', () => {
  test.each([1, 50])('of %i is recalculated before the response, without a job', async (people) => {
    const s = await largeStudy(people)
    s.clock(8 * DAY)
    await s.services.tick()
    expect(await s.shorten()).toBeNull()
    expect(await s.update()).toBeNull()
    expect(s.behind()).toEqual([{ behind: 5, people }])
    s.isRight()
    const { timelineUpdate } = await s.owner.do('updateTrial', s.trial, { timezone: 'Asia/Tokyo' })
    expect(timelineUpdate).toBeNull()
    s.isRight()
    expect(s.db.$client.query('SELECT * FROM jobs').all()).toEqual([])
  })

  test('of 51 starts a job', async () => {
    const s = await largeStudy(51)
    expect(await s.shorten()).not.toBeNull()
  })

  test('with very long timelines counts as large, and its pages have fewer participants', async () => {
    const s = await largeStudy(5)
    const { owner, stage } = s
    await owner.do('updateStage', stage, { recurringDuration: 3_650 })
    for (let copy = 0; copy < 8; copy++) {
      const diary = { name: `Diary ${copy}`, isRecurring: true, recurringFrequency: 1, recurringDuration: 3_650 }
      await owner.do('createStage', s.trial, diary)
    }
    const job = await s.shorten(owner, 3_000)
    const texts = new Set<string>()
    await tickWith(s.services, async () => texts.add((await owner.do('readJob', job)).progress))
    expect([...texts]).toEqual(['Waiting to start.', upToDate(3, 5), 'Done.'])
    s.isRight()
  })

  test('a copied trial needs no update, nor does its first participant', async () => {
    const s = await largeStudy(3)
    const copy = await s.owner.do('createTrial', s.team, { name: 'Copy', copyFrom: s.trial })
    expect(copy.timelineUpdate).toBeNull()
    await s.owner.do('registerParticipants', copy._id, { participantId: 'first' })
    expect((await s.owner.do('readTrial', copy._id)).timelineUpdate).toBeNull()
  })

  test('stages generated from a description are in all timelines when their job is done', async () => {
    const s = await largeStudy(3)
    const prompt = '# Visit 1\n1. Weight (kg)'
    const { jobId } = await s.owner.do('createStage', s.trial, { prompt }, { creationType: 'generateFromAI' })
    await until(async () => (await s.owner.do('readJob', jobId)).status === 'done')
    expect(await s.update()).toBeNull()
    s.isRight()
  })
})
