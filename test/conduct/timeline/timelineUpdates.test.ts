/** A change of configuration recalculates all timelines: at once in a small trial, in the background in a large one. */
import { describe, expect, test } from 'bun:test'
import { verifyProgress } from '#conduct/timeline/verify'
import { DAY } from '#kernel/time'
import type { Service } from '#server/service'
import { afterKill, world } from '../../harness'
import { done, largeStudy, pending, tickWith, upToDate } from './timelineUpdates.study'

describe('a large trial', () => {
  test('a changed stage starts a job that shows its progress, and ends when all timelines are recalculated', async () => {
    const s = await largeStudy(120)
    const { owner } = s
    s.clock(8 * DAY)
    await s.services.tick()
    expect(s.behind()).toEqual([{ behind: 8, people: 120 }])
    expect(await s.update()).toBeNull()

    const job = await s.shorten()
    expect(await s.update()).toEqual({ jobId: job, progress: upToDate(0) })
    expect(await owner.do('readJob', job)).toEqual(pending('Waiting to start.'))
    const [texts, updates] = [new Set<string>(), new Set<string>()]
    await tickWith(s.services, async () => {
      texts.add((await owner.do('readJob', job)).progress)
      const update = await s.update()
      if (update) expect(update.jobId).toBe(job)
      updates.add(update?.progress ?? 'null')
    })
    expect([...texts]).toEqual(['Waiting to start.', upToDate(50), upToDate(100), 'Done.'])
    expect([...updates]).toEqual([upToDate(0), upToDate(50), upToDate(100), 'null'])
    expect(await owner.do('readJob', job)).toEqual(done(120))
    expect(await s.update()).toBeNull()
    expect(s.behind()).toEqual([{ behind: 5, people: 120 }])
    s.isRight()
  })

  test('only the account that started it sees the job; others see its progress', async () => {
    const s = await largeStudy(60)
    const colleague = s.staff(s.trial, ['trial.write', 'trial.read'])
    const job = await s.shorten()
    expect(await s.update(colleague)).toEqual({ jobId: null, progress: upToDate(0, 60) })
    expect((await colleague.call('GET', `/jobs/${job}`)).status).toBe(404)
    expect((await s.nobody.call('GET', `/jobs/${job}`)).status).toBe(401)
  })

  test('each account that changes the trial has one job; its next change continues the same job', async () => {
    const s = await largeStudy(60)
    const colleague = s.staff(s.trial, ['trial.write', 'trial.read'])
    const first = await s.shorten()
    const second = await s.shorten(colleague, 4)
    expect(second).not.toBe(first)
    expect(await s.shorten(s.owner, 3)).toBe(first)
    expect(await s.update(colleague)).toMatchObject({ jobId: second })
    await s.services.tick()
    expect(await s.owner.do('readJob', first)).toEqual(done(60))
    expect(await colleague.do('readJob', second)).toEqual(done(60))
    const third = await s.shorten()
    expect([first, second]).not.toContain(third!)
  })

  test('a change during a job starts it again, and the jobs end with the newest configuration', async () => {
    const s = await largeStudy(120)
    const job = await s.shorten()
    const texts: string[] = []
    await tickWith(s.services, async () => {
      const { progress } = await s.owner.do('readJob', job)
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
    expect(await s.owner.do('readJob', job)).toEqual(done(120))
    s.clock(5 * DAY)
    await s.services.tick()
    expect(s.behind()).toEqual([{ behind: 2, people: 120 }])
    s.isRight()
  })

  test('two trials are recalculated in turns, so that neither waits for the other to end', async () => {
    const w = world()
    const [a, b] = [await largeStudy(120, w), await largeStudy(120, w)]
    const jobs = [await a.shorten(), await b.shorten()]
    const texts = new Set<string>()
    await tickWith(w.service.services, async () => {
      const progress = await Promise.all(jobs.map(async (job) => (await w.owner.do('readJob', job)).progress))
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

  test.each([0, 1, 2])('a job continues where it was after a kill (%i pages done)', async (pages) => {
    const s = await largeStudy(120)
    const job = await s.shorten()
    const services: Service[] = []
    await tickWith(s.services, async () => {
      const { progress } = await s.owner.do('readJob', job)
      const at = progress === 'Waiting to start.' ? 0 : Number.parseInt(progress, 10) / 50
      if (at === pages && !services.length) services.push(afterKill(s.w))
    })
    const [after] = services
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

  test('a page that is rolled back with its turn is done again, and no participant is left out', async () => {
    const s = await largeStudy(120)
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
    expect(await s.owner.do('readJob', job)).toEqual(done(120))
    expect(s.behind()).toEqual([{ behind: 5, people: 120 }])
    s.isRight()
  })

  test('a repeated write with its Idempotency-Key names the same job', async () => {
    const s = await largeStudy(60)
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

  test('a write that changes no configuration starts no job, also during another', async () => {
    const s = await largeStudy(60)
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
    expect(await s.owner.do('readJob', job)).toEqual(done(61))
    s.isRight()
  })

  test('the jobs of a trial that is deleted meanwhile are deleted with it', async () => {
    const s = await largeStudy(120)
    const job = await s.shorten()
    let pages = 0
    await tickWith(s.services, async () => {
      if ((await s.owner.call('GET', `/jobs/${job}`)).body.progress === upToDate(50) && !pages++)
        await s.owner.do('deleteTrial', s.trial)
    })
    expect(pages).toBe(1)
    expect((await s.owner.call('GET', `/jobs/${job}`)).status).toBe(404)
    expect(s.db.$client.query('SELECT * FROM timelineSweeps').all()).toEqual([])
  })

  test('if the trial becomes small during a job, the next write recalculates all timelines and ends the job', async () => {
    const s = await largeStudy(60)
    const job = await s.shorten()
    const { people } = s
    await s.owner.do('deleteParticipants', s.trial, { participants: people.slice(0, 20), reason: 'a test' })
    await s.owner.do('updateTrial', s.trial, { studyAcronym: 'SMALL' })
    expect(await s.owner.do('readJob', job)).toEqual(done(40))
    expect(await s.update()).toBeNull()
    s.isRight()
  })
})
