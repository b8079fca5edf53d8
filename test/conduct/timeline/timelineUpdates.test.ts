/** A change of configuration recalculates all timelines: at once in a small trial, in the background in a large one. */
import { describe, expect, test } from 'bun:test'
import { verifyProgress } from '#conduct/timeline/verify'
import { permissions, sessions } from '#db/tables/index'
import type { Services } from '#http/services'
import { newId, newSecret, sha256 } from '#kernel/id'
import { DAY, parseInstant } from '#kernel/time'
import type { Service } from '#server/service'
import { type Person, survivor, type World, world } from '../../harness'
import { until } from '../../storage/shelf'

/** A trial with a daily diary and so many participants, whose progress is up to date. */
async function populated(people: number, w = world()) {
  const { owner } = w
  const trial: string = (await owner.post(`/teams/${w.team}/trials`, { name: `Diaries of ${people}` }))._id
  const diary = { name: 'Diary', isRecurring: true, recurringFrequency: 1, recurringDuration: 10 }
  const stage: string = (await owner.post(`/trials/${trial}/stages`, diary))._id
  const participants = Array.from({ length: people }, (_, n) => ({ participantId: `P-${n}` }))
  const registered = (await owner.post(`/trials/${trial}/participants`, { participants })).participants
  await w.service.services.tick()
  const started = async (answer: ReturnType<Person['call']>) => {
    const { status, headers, body } = await answer
    expect([status, body.message]).toEqual([200, undefined])
    return headers.get('x-job')
  }
  return {
    ...w,
    w,
    trial,
    stage,
    people: registered.map(({ _id }: { _id: string }) => _id) as string[],
    services: w.service.services,
    /** Makes a change and returns the `_id` of the job in the response header. */
    started,
    /** Changes the stage, which makes everybody's diary shorter. */
    shorten: (by: Person = owner, days = 5) =>
      started(by.call('PUT', `/stages/${stage}`, { recurringDuration: days })) as Promise<string>,
    update: async (by: Person = owner) => (await by.get(`/trials/${trial}`)).timelineUpdate,
    behind: () =>
      w.db.$client
        .query<{ behind: number; people: number }, [string]>(
          `SELECT stagesBehindSchedule AS behind, count(*) AS people FROM participants WHERE trial = ?
           GROUP BY 1 ORDER BY 1`,
        )
        .all(trial),
    /** Expects the stored progress of all participants to match their timelines. */
    isRight: () => expect(verifyProgress(w.db.$client)).toEndWith(' progress follows from their timelines'),
  }
}

/** Does all due work, and calls `between` after each commit. */
async function tickWith(services: Services, between: () => Promise<unknown>): Promise<void> {
  const { commit } = services
  const pausing = async <T>(run: () => T extends PromiseLike<unknown> ? never : T): Promise<T> => {
    const value = await commit<T>(run)
    services.commit = commit // what is done in between is not interrupted itself
    await between()
    services.commit = pausing
    return value
  }
  services.commit = pausing
  await services.tick()
  services.commit = commit
}

const pending = (progress: string) => ({ status: 'pending', progress, result: null, error: null })
const done = (participants: number) => ({ status: 'done', progress: 'Done.', result: { participants }, error: null })
const upToDate = (n: number, all = 120) => `${n} of ${all} participants brought up to date.`

describe('a large trial', () => {
  test('a changed stage starts a job that says how far it is, and ends when everybody is up to date', async () => {
    const s = await populated(120)
    const { owner } = s
    s.clock(8 * DAY)
    await s.services.tick()
    expect(s.behind()).toEqual([{ behind: 8, people: 120 }])
    expect(await s.update()).toBeNull()

    const job = await s.shorten()
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0) })
    expect(await owner.get(`/jobs/${job}`)).toEqual(pending('Waiting to start.'))
    const [texts, told] = [new Set<string>(), new Set<string>()]
    await tickWith(s.services, async () => {
      texts.add((await owner.get(`/jobs/${job}`)).progress)
      const update = await s.update()
      if (update) expect(update.jobId).toBe(job)
      told.add(update?.progress ?? 'null')
    })
    expect([...texts]).toEqual(['Waiting to start.', upToDate(50), upToDate(100), 'Done.'])
    expect([...told]).toEqual([upToDate(0), upToDate(50), upToDate(100), 'null'])
    expect(await owner.get(`/jobs/${job}`)).toEqual(done(120))
    expect(await s.update()).toBeNull()
    expect(s.behind()).toEqual([{ behind: 5, people: 120 }])
    s.isRight()
  })

  test('the job is for the account that started it; others are told how far it is', async () => {
    const s = await populated(60)
    const colleague = s.staff(s.trial, ['trial.write', 'trial.read'])
    const job = await s.shorten()
    expect(await s.update(colleague)).toEqual({ jobId: null, progress: upToDate(0, 60) })
    expect((await colleague.call('GET', `/jobs/${job}`)).status).toBe(404)
    expect((await s.nobody.call('GET', `/jobs/${job}`)).status).toBe(401)
  })

  test('two accounts that change it have a job each; what one changes again is the same job', async () => {
    const s = await populated(60)
    const colleague = s.staff(s.trial, ['trial.write', 'trial.read'])
    const first = await s.shorten()
    const second = await s.shorten(colleague, 4)
    expect(second).not.toBe(first)
    expect(await s.shorten(s.owner, 3)).toBe(first)
    expect(await s.update(colleague)).toMatchObject({ jobId: second })
    await s.services.tick()
    expect(await s.owner.get(`/jobs/${first}`)).toEqual(done(60))
    expect(await colleague.get(`/jobs/${second}`)).toEqual(done(60))
    const third = await s.shorten()
    expect([first, second]).not.toContain(third!)
  })

  test('a change midway begins it again, and the jobs end with the newest configuration', async () => {
    const s = await populated(120)
    const job = await s.shorten()
    const texts: string[] = []
    await tickWith(s.services, async () => {
      const { progress } = await s.owner.get(`/jobs/${job}`)
      if (texts.at(-1) !== progress) texts.push(progress)
      if (progress === upToDate(100) && !texts.includes('again')) {
        texts.push('again')
        expect(await s.shorten(s.owner, 2)).toBe(job)
        expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0) })
      }
    })
    expect(texts).toEqual([
      'Waiting to start.',
      upToDate(50),
      upToDate(100),
      'again',
      upToDate(50),
      upToDate(100),
      'Done.',
    ])
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(120))
    s.clock(5 * DAY)
    await s.services.tick()
    expect(s.behind()).toEqual([{ behind: 2, people: 120 }])
    s.isRight()
  })

  test('two trials are swept by turns, so that neither waits for the other’s end', async () => {
    const w = world()
    const [a, b] = [await populated(120, w), await populated(120, w)]
    const jobs = [await a.shorten(), await b.shorten()]
    const texts = new Set<string>()
    await tickWith(w.service.services, async () => {
      const progress = await Promise.all(jobs.map(async (job) => (await w.owner.get(`/jobs/${job}`)).progress))
      texts.add(progress.map((text) => text.split(' ')[0]).join(' '))
    })
    expect([...texts]).toEqual([
      'Waiting Waiting',
      '50 Waiting',
      '50 50',
      '100 50',
      '100 100',
      'Done. 100',
      'Done. Done.',
    ])
  })

  test.each([0, 1, 2])('a kill after %i pages: the job goes on where it was', async (pages) => {
    const s = await populated(120)
    const job = await s.shorten()
    const survivors: Service[] = []
    await tickWith(s.services, async () => {
      const { progress } = await s.owner.get(`/jobs/${job}`)
      const at = progress === 'Waiting to start.' ? 0 : Number.parseInt(progress, 10) / 50
      if (at === pages && !survivors.length) survivors.push(survivor(s.w))
    })
    const [after] = survivors
    const { Authorization } = s.owner.credentials
    const get = async (path: string) =>
      (
        await after!.handle(
          new Request(`http://localhost${path}`, { headers: { Authorization: Authorization! } }),
          null,
        )
      ).json()
    // If a worker took the job, it would fail at once, as workers do not know this kind of work.
    await Bun.sleep(20)
    expect(await get(`/jobs/${job}`)).toEqual(pending(pages ? upToDate(pages * 50) : 'Waiting to start.'))
    expect((await get(`/trials/${s.trial}`)).timelineUpdate).toEqual({ jobId: job, progress: upToDate(pages * 50) })
    const texts = new Set<string>()
    await tickWith(after!.services, async () => texts.add((await get(`/jobs/${job}`)).progress))
    expect([...texts].filter((text) => text.includes(' of '))).toEqual(
      [50, 100].slice(Math.max(0, pages - 1)).map((n) => upToDate(n)),
    )
    expect(await get(`/jobs/${job}`)).toEqual(done(120))
    expect(verifyProgress(after!.services.db.$client)).toBe("120 participants' progress follows from their timelines")
  })

  test('a page that is undone with others of its turn is done again, nobody left out', async () => {
    const s = await populated(120)
    s.clock(8 * DAY)
    await s.services.tick()
    const job = await s.shorten()
    const { commit } = s.services
    let broken = 0
    s.services.commit = (run) => {
      const page = commit(run)
      // Another commit in the same turn fails: the page is rolled back with it and done again.
      void commit((): unknown => {
        s.db.$client.run(`UPDATE trials SET description = 'half done' WHERE _id = '${s.trial}'`)
        throw new Error('broken')
      }).catch(() => broken++)
      return page
    }
    await s.services.tick()
    s.services.commit = commit
    expect(broken).toBeGreaterThan(3)
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(120))
    expect(s.behind()).toEqual([{ behind: 5, people: 120 }])
    s.isRight()
  })

  test('the same write repeated with its key names the same job', async () => {
    const s = await populated(60)
    const write = () =>
      s.started(
        s.owner.call('PUT', `/stages/${s.stage}`, { recurringDuration: 3 }, { headers: { 'Idempotency-Key': 'one' } }),
      )
    const job = await write()
    expect(job).toMatch(/^[0-9a-f]{24}$/)
    await s.services.tick()
    expect(await write()).toBe(job)
    expect(await s.update()).toBeNull()
  })

  test('what changes no configuration starts no job, also while one goes on', async () => {
    const s = await populated(60)
    const colleague = s.staff(s.trial, ['trial.admin'])
    const participant = `/trials/${s.trial}/participants/${s.people[0]}`
    const acts = [
      () => colleague.call('PUT', `/trials/${s.trial}`, { description: 'Of sleep' }),
      () => colleague.call('PUT', participant, { timezone: 'Asia/Tokyo' }),
      () => colleague.call('POST', `/trials/${s.trial}/participants`, { participantId: 'late' }),
    ]
    for (const act of acts) expect(await s.started(act())).toBeNull()
    const job = await s.shorten()
    for (const act of acts.slice(0, 2)) expect(await s.started(act())).toBeNull()
    expect(await s.update(colleague)).toMatchObject({ jobId: null })
    await s.services.tick()
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(61))
    s.isRight()
  })

  test('a trial that is deleted midway takes its jobs with it', async () => {
    const s = await populated(120)
    const job = await s.shorten()
    let pages = 0
    await tickWith(s.services, async () => {
      if ((await s.owner.call('GET', `/jobs/${job}`)).body.progress === upToDate(50) && !pages++)
        await s.owner.delete(`/trials/${s.trial}`)
    })
    expect(pages).toBe(1)
    expect((await s.owner.call('GET', `/jobs/${job}`)).status).toBe(404)
    expect(s.db.$client.query('SELECT * FROM timelineSweeps').all()).toEqual([])
    expect(s.faults).toEqual([])
  })

  test('where it becomes small midway, the next write brings it up to date and ends the jobs', async () => {
    const s = await populated(60)
    const job = await s.shorten()
    const { people } = s
    await s.owner.delete(`/trials/${s.trial}/participants`, { participants: people.slice(0, 20), reason: 'a test' })
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(40))
    expect(await s.update()).toBeNull()
    s.isRight()
  })
})

/** A person in the web app whose identity was confirmed just now. */
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

describe('what starts a job', () => {
  type Large = Awaited<ReturnType<typeof populated>>
  const changes: [what: string, change: (s: Large) => ReturnType<Person['call']>][] = [
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
    [
      'a stage for nobody’s group any more',
      (s) => s.owner.call('PUT', `/stages/${s.stage}`, { availableToGroups: [] }),
    ],
    ['a stage for nobody’s site any more', (s) => s.owner.call('PUT', `/stages/${s.stage}`, { availableToSites: [] })],
    ['an anchor', (s) => s.owner.call('POST', `/trials/${s.trial}/anchors`, { name: 'Surgery' })],
    ['a group', (s) => s.owner.call('POST', `/trials/${s.trial}/groups`, { name: 'Arm' })],
    ['a site', (s) => s.owner.call('POST', `/trials/${s.trial}/sites`, { name: 'Berlin', id: 'BER' })],
  ]

  test.each(changes)('%s', async (_, change) => {
    const s = await populated(60)
    s.clock(8 * DAY)
    const answer = await change(s)
    expect([answer.status, answer.body.message]).toEqual([200, undefined])
    const job = answer.headers.get('x-job')
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0, 60) })
    if (answer.body.timelineUpdate) expect(answer.body.timelineUpdate).toEqual(await s.update())
    await s.services.tick()
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(60))
    expect(await s.update()).toBeNull()
    s.isRight()
  })

  test('a group that a stage was for is taken from it: those who were in it are up to date', async () => {
    const s = await populated(60)
    const [arm, other] = await Promise.all(
      ['Arm', 'Other'].map(async (name) => (await s.owner.post(`/trials/${s.trial}/groups`, { name }))._id),
    )
    const updates = s.people.map((participant, n) => ({ participant, groups: [n % 2 ? arm : other] }))
    await s.owner.patch(`/trials/${s.trial}/participants`, { updates })
    await s.owner.put(`/stages/${s.stage}`, { availableToGroups: [arm] })
    s.clock(3 * DAY)
    await s.services.tick()
    const [none, some] = [0, 3].map((behind) => ({ behind, people: 30 }))
    expect(s.behind()).toEqual([none!, some!])
    const job = await s.started(s.owner.call('PUT', `/stages/${s.stage}`, { availableToGroups: null }))
    await s.services.tick()
    expect(await s.owner.get(`/jobs/${job}`)).toEqual(done(60))
    expect(s.behind()).toEqual([{ behind: 3, people: 60 }])
  })

  test('an answer of PUT says so itself', async () => {
    const s = await populated(60)
    const { body, headers } = await s.owner.call('PUT', `/trials/${s.trial}`, { timezone: 'Asia/Tokyo' })
    expect(body.timelineUpdate).toEqual({ jobId: headers.get('x-job'), progress: upToDate(0, 60) })
    // A client may send it back; like every read-only field it is ignored.
    expect((await s.owner.call('PUT', `/trials/${s.trial}`, body)).status).toBe(200)
  })

  test('somebody who sees a site only is told no numbers of the others', async () => {
    const s = await populated(60)
    const site = (await s.owner.post(`/trials/${s.trial}/sites`, { name: 'Berlin', id: 'BER' }))._id
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
    await tickWith(s.services, async () => texts.add((await local.get(`/jobs/${job}`)).progress))
    expect([...texts]).toEqual(['Waiting to start.', progress, 'Done.'])
    expect(await local.get(`/jobs/${job}`)).toEqual({ ...pending('Done.'), status: 'done', result: {} })
  })
})

describe('a bulk change', () => {
  test('of many memberships is followed by a job, for the stages that are for a group', async () => {
    const s = await populated(250)
    const { owner, trial, stage, services } = s
    const { _id: group } = await owner.post(`/trials/${trial}/groups`, { name: 'Treatment' })
    await owner.put(`/stages/${stage}`, { availableToGroups: [group] })
    s.clock(8 * DAY)
    await services.tick()
    expect(s.behind()).toEqual([{ behind: 0, people: 250 }])
    const updates = s.people.map((participant) => ({ participant, groups: [group] }))
    const job = await s.started(owner.call('PATCH', `/trials/${trial}/participants`, { updates }))
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0, 250) })
    expect(await owner.get(`/jobs/${job}`)).toEqual(pending('Waiting to start.'))
    await services.tick()
    expect(await owner.get(`/jobs/${job}`)).toEqual(done(250))
    expect([await s.update(), s.behind()]).toEqual([null, [{ behind: 8, people: 250 }]])
    s.isRight()
  })

  test.each([100, 101])('of %i: up to a hundred are in their timelines at once, without a job', async (count) => {
    const s = await populated(120)
    const { owner, trial, people } = s
    const { _id: group } = await owner.post(`/trials/${trial}/groups`, { name: 'Treatment' })
    await s.services.tick()
    const updates = people.slice(0, count).map((participant) => ({ participant, groups: [group] }))
    const job = await s.started(owner.call('PATCH', `/trials/${trial}/participants`, { updates }))
    expect(job === null).toBe(count === 100)
    expect((await s.update()) === null).toBe(count === 100)
    await s.services.tick()
    s.isRight()
  })
})

describe('a small trial', () => {
  test.each([1, 50])('of %i is up to date in the answer, without a job', async (people) => {
    const s = await populated(people)
    s.clock(8 * DAY)
    await s.services.tick()
    expect(await s.shorten()).toBeNull()
    expect(await s.update()).toBeNull()
    expect(s.behind()).toEqual([{ behind: 5, people }])
    s.isRight()
    const { timelineUpdate } = await s.owner.put(`/trials/${s.trial}`, { timezone: 'Asia/Tokyo' })
    expect(timelineUpdate).toBeNull()
    s.isRight()
    expect(s.db.$client.query('SELECT * FROM jobs').all()).toEqual([])
  })

  test('of 51 is not', async () => {
    const s = await populated(51)
    expect(await s.shorten()).not.toBeNull()
  })

  test('whose timelines are very long counts as large, and a page of it has fewer people', async () => {
    const s = await populated(5)
    const { owner, stage } = s
    await owner.put(`/stages/${stage}`, { recurringDuration: 3_650 })
    for (let copy = 0; copy < 8; copy++) {
      const diary = { name: `Diary ${copy}`, isRecurring: true, recurringFrequency: 1, recurringDuration: 3_650 }
      await owner.post(`/trials/${s.trial}/stages`, diary)
    }
    const job = await s.shorten(owner, 3_000)
    const texts = new Set<string>()
    await tickWith(s.services, async () => texts.add((await owner.get(`/jobs/${job}`)).progress))
    expect([...texts]).toEqual(['Waiting to start.', upToDate(3, 5), 'Done.'])
    s.isRight()
  })

  test('a trial that was copied is not said to be behind, nor with its first participant', async () => {
    const s = await populated(3)
    const copy = await s.owner.post(`/teams/${s.team}/trials`, { name: 'Copy', copyFrom: s.trial })
    expect(copy.timelineUpdate).toBeNull()
    await s.owner.post(`/trials/${copy._id}/participants`, { participantId: 'first' })
    expect((await s.owner.get(`/trials/${copy._id}`)).timelineUpdate).toBeNull()
  })

  test('stages made from a description are in everybody’s timeline when their job is done', async () => {
    const s = await populated(3)
    const prompt = '# Visit 1\n1. Weight (kg)'
    const { jobId } = await s.owner.post(`/trials/${s.trial}/stages?creationType=generateFromAI`, { prompt })
    await until(async () => (await s.owner.get(`/jobs/${jobId}`)).status === 'done')
    expect(await s.update()).toBeNull()
    s.isRight()
  })
})
