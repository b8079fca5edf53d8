/** Registration with many passwords: the response does not wait for their hashes (docs/participants.md, "Registration"). */
import { expect, test } from 'bun:test'
import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { hashPassword } from '#accounts/users/passwords'
import { hashNextPasswords } from '#conduct/participants/pendingPasswords'
import { jobs, participants, passwordQueue } from '#db/tables/index'
import { afterKill, type World, world } from '../../harness'
import { hashCheaply } from '../../passwords'

hashCheaply()

const secretOf = (n: number) => `sunlit meadow ${n}`

/** A trial, and a request that registers participants with a password each. */
async function study(count = 20, change = {}) {
  const here = world()
  const trial = here.trial({ code: 'heart', ...change })
  const url = `/trials/${trial}/participants` as const
  const list = Array.from({ length: count }, (_, n) => ({ participantId: `P-${n}`, password: secretOf(n) }))
  const { body, headers, status } = await here.owner.call('POST', url, { participants: list })
  const signIn = (n: number, password = secretOf(n)) =>
    here.nobody.call('POST', '/participants/sessions', { trialCode: 'heart', participantId: `P-${n}`, password })
  return { ...here, here, trial, url, body, job: headers.get('x-job'), status, signIn }
}

const stored = ({ db }: Pick<World, 'db'>) =>
  db
    .select()
    .from(participants)
    .all()
    .map(({ passwordHash }) => passwordHash?.replace(/^\$(\w+)\$.*/, '$1'))

test('a batch is answered with its participants and a job, before its passwords are hashed', async () => {
  const s = await study()
  expect(s.status).toBe(200)
  expect(s.body.participants.map((each: { id: string; passwordSet: boolean }) => [each.id, each.passwordSet])).toEqual(
    Array.from({ length: 20 }, (_, n) => [`P-${n}`, true]),
  )
  expect([...new Set(stored(s))]).toEqual(['sealed'])
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'pending', result: null })
  expect((await s.staff(s.trial, ['trial.admin']).call('GET', `/jobs/${s.job}`)).status).toBe(404)

  await s.service.services.tick()
  expect([...new Set(stored(s))]).toEqual(['argon2id'])
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'done', result: { passwords: 20 }, error: null })
  expect((await s.signIn(7)).status).toBe(200)
  expect(s.db.select().from(passwordQueue).all()).toEqual([])
})

test('a sign-in does not wait for the others: the own password is hashed first', async () => {
  const s = await study()
  expect((await s.signIn(19, 'wrong')).status).toBe(401)
  const all = await Promise.all([s.signIn(19), s.signIn(19), s.signIn(3)])
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(stored(s).filter((each) => each === 'argon2id')).toHaveLength(2)
  await s.service.services.tick()
  expect((await s.signIn(19)).status).toBe(200)
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'done', result: { passwords: 20 } })
})

test('no password is on the disk in the clear, before and after it is hashed', async () => {
  const s = await study()
  const onDisk = () =>
    readdirSync(s.directory, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map(({ parentPath, name }) => readFileSync(join(parentPath, name)))
  const isThere = (text: string) => onDisk().some((bytes) => bytes.includes(text))
  expect(isThere('P-7')).toBe(true)
  expect(isThere('sunlit')).toBe(false)
  await s.service.services.tick()
  expect(isThere('sunlit')).toBe(false)
})

test('after a kill the next start goes on', async () => {
  const s = await study()
  const next = afterKill(s.here)
  await next.services.tick()
  expect([...new Set(stored(next.services))]).toEqual(['argon2id'])
  expect(next.services.db.select().from(jobs).all()).toMatchObject([{ status: 'done', result: { passwords: 20 } }])
})

test('a password that is changed or removed meanwhile stays so', async () => {
  const s = await study(9)
  const [first, second] = s.body.participants
  await s.owner.do('updateParticipant', s.trial, first._id, { password: 'another meadow' })
  await s.owner.do('updateParticipant', s.trial, second._id, { password: '' })
  await s.service.services.tick()
  expect((await s.signIn(0)).status).toBe(401)
  expect((await s.signIn(0, 'another meadow')).status).toBe(200)
  expect((await s.signIn(1)).status).toBe(401)
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'done' })
})

test('deleted participants and trials leave nothing to hash, and the job ends', async () => {
  const s = await study(9)
  const ids = s.body.participants.map(({ _id }: { _id: string }) => _id)
  await s.owner.do('deleteParticipants', s.trial, { participants: ids, reason: 'registered twice' })
  expect(s.db.select().from(passwordQueue).all()).toEqual([])
  await s.service.services.tick()
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'done' })
  const other = await study(9)
  await other.owner.do('deleteTrial', other.trial)
  await other.service.services.tick()
  expect(other.db.select().from(passwordQueue).all()).toEqual([])
})

test('a few passwords are hashed at once, without a job', async () => {
  const s = await study(8)
  expect(s.job).toBeNull()
  expect([...new Set(stored(s))]).toEqual(['argon2id'])
})

test('a batch that is refused leaves no job', async () => {
  const s = await study(9)
  const twice = await s.owner.call('POST', s.url, {
    participants: Array.from({ length: 9 }, (_, n) => ({ participantId: `P-${n}`, password: 'x' })),
  })
  expect([twice.status, twice.headers.get('x-job')]).toEqual([400, null])
  expect(s.db.select().from(jobs).all()).toHaveLength(1)
})

test('a waiting password that was altered lets nobody in, and is reported', async () => {
  const s = await study(9)
  s.db.$client.run("UPDATE participants SET passwordHash = '$sealed$AAAA' WHERE id = 'P-4'")
  expect((await s.signIn(4)).status).toBe(401)
  expect(s.takeFaults()).toMatchObject([[expect.stringContaining('waits to be hashed'), expect.any(Error)]])
  await s.service.services.tick()
  expect(s.takeFaults()).toHaveLength(1)
  expect(await s.owner.do('readJob', s.job)).toMatchObject({ status: 'done' })
  expect((await s.signIn(5)).status).toBe(200)
})

test('one core stays free while passwords are hashed', async () => {
  const { hash } = Bun.password
  let now = 0
  let most = 0
  Bun.password.hash = async () => {
    most = Math.max(most, ++now)
    await Bun.sleep(1)
    now--
    return 'hash'
  }
  await Promise.all(Array.from({ length: 30 }, () => hashPassword('x')))
  Bun.password.hash = hash
  expect(most).toBe(Math.max(1, availableParallelism() - 1))
})

test('those who wait come before passwords that nobody waits for', async () => {
  const { hash } = Bun.password
  const order: string[] = []
  Bun.password.hash = async (password) => {
    order.push(`${password}`)
    await Bun.sleep(1)
    return 'hash'
  }
  const many = Array.from({ length: 20 }, (_, n) => hashPassword(`job ${n}`, 'last'))
  await Promise.all([...many, hashPassword('sign-in')])
  Bun.password.hash = hash
  expect(order.indexOf('sign-in')).toBeLessThanOrEqual(Math.max(1, availableParallelism() - 1))
})

test('the job says how many passwords are hashed', async () => {
  const s = await study(12)
  await hashNextPasswords(s.service.services, s.service.services.clock.now())
  expect(await s.owner.do('readJob', s.job)).toMatchObject({
    status: 'pending',
    progress: '4 of 12 passwords are hashed.',
  })
})

test('a trial sets the least length of new passwords of participants; there is none by default', async () => {
  const s = await study(1)
  expect(await s.owner.do('readTrial', s.trial)).toMatchObject({ participantPasswordMinLength: null })
  expect(
    (await s.owner.do('registerParticipants', s.trial, { participantId: 'short', password: 'x' })).passwordSet,
  ).toBe(true)
  await s.owner.do('updateTrial', s.trial, { participantPasswordMinLength: 6 })
  for (const wrong of [0, 201, 2.5, '6']) {
    const refused = await s.owner.call('PUT', `/trials/${s.trial}`, { participantPasswordMinLength: wrong })
    expect(refused.status).toBe(422)
  }
  const problem = 'Must be at least 6 characters in this trial.'
  const one = await s.owner.call('POST', s.url, { participantId: 'A', password: '12345' })
  expect([one.status, one.body.validations]).toEqual([422, { json: { password: [problem] } }])
  const batch = { participants: [{ participantId: 'A' }, { participantId: 'B', password: '12345' }] }
  expect((await s.owner.call('POST', s.url, batch)).body.validations).toEqual({
    json: { participants: [`1.password: ${problem}`] },
  })
  const at = `${s.url}/${s.body.participants[0]._id}`
  expect((await s.owner.call('PUT', at, { password: '12345' })).body.validations).toEqual({
    json: { password: [problem] },
  })
  // Letters of more than one code unit are one character; an earlier password and its removal need no length.
  expect((await s.owner.call('PUT', at, { password: '🌊🌊🌊🌊🌊' })).status).toBe(422)
  await s.owner.put(at, { password: '🌊🌊🌊🌊🌊🌊' })
  await s.owner.put(at, { password: '' })
  const short = { trialCode: 'heart', participantId: 'short', password: 'x' }
  expect((await s.nobody.call('POST', '/participants/sessions', short)).status).toBe(200)
  await s.owner.do('updateTrial', s.trial, { restrictRegistration: false })
  const self = (password: string) =>
    s.nobody.call('POST', '/participants/sessions', { trialCode: 'heart', participantId: 'new', password })
  expect((await self('12345')).body.validations).toEqual({ json: { password: [problem] } })
  expect((await self('123456')).status).toBe(200)
})
