import { expect, test } from 'bun:test'
import { MINUTE } from '#kernel/time'
import type { Person } from '../../../harness'
import { present } from '../../../present'
import { type ReviewStudy, reviewStudy } from './approvals.study'

/** Every operation on requests, as somebody calls it: the name of each with the status of its answer. */
async function statuses(m: ReviewStudy, who: Person) {
  const { _id } = await m.request()
  const list = (await who.call('GET', m.url)).status
  const create = (await who.call('POST', m.url, { approvers: [{ id: m.chief._id }] })).status
  const decide = (await m.decide(who, _id, 'approved')).status
  const withdraw = (await who.call('DELETE', `${m.url}/${_id}`)).status
  return { list, create, decide, withdraw }
}

test.each([
  ['readFiles', { list: 200, create: 403, decide: 403, withdraw: 403 }],
  ['readApprovedFiles', { list: 404, create: 404, decide: 404, withdraw: 404 }],
  ['requestFileApproval', { list: 403, create: 403, decide: 403, withdraw: 403 }],
  ['approveFiles', { list: 200, create: 403, decide: 403, withdraw: 403 }],
  // The file has an open request, so that another one is refused.
  ['write', { list: 200, create: 400, decide: 403, withdraw: 200 }],
] as const)('what %s gives, on the trial, the site and another site', async (key, expected) => {
  const m = await reviewStudy()
  expect(await statuses(m, m.staff(m.trial, [`trial.${key}`]))).toEqual(expected)
  const local = await reviewStudy()
  expect(await statuses(local, local.staff(local.trial, [`site.${key}`], local.north))).toEqual(expected)
  const elsewhere = await reviewStudy()
  const all = { list: 404, create: 404, decide: 404, withdraw: 404 }
  expect(await statuses(elsewhere, elsewhere.staff(elsewhere.trial, [`site.${key}`], elsewhere.south))).toEqual(all)
})

test('a reader of approved files sees nothing of drafts', async () => {
  const m = await reviewStudy()
  const auditor = m.staff(m.trial, ['trial.readApprovedFiles'])
  const { _id } = await m.request({ approvers: [{ id: m.chief._id }] })
  await m.decide(m.chief, _id, 'approved')
  await m.version(m.file, 'another draft')
  const second = await m.request()
  expect((await auditor.do('listFileApprovals', m.file)).approvals.map((each) => each._id)).toEqual([_id])
  expect((await auditor.call('DELETE', `${m.url}/${second._id}`)).status).toBe(404)
})

test('a request is found at its own file only', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  const other = await m.add()
  expect((await m.owner.call('DELETE', `/files/${other._id}/approvals/${_id}`)).status).toBe(404)
})

test('a link shows one version of one file and nothing else', async () => {
  const m = await reviewStudy()
  await m.version(m.file, 'the newest draft')
  await m.request({ message: 'Please.' })
  const shown = await m.nobody.get<'readFileReview'>(m.linkOf(m.outsider))
  expect(Object.keys(shown).sort()).toEqual(
    // biome-ignore format: a list of words
    ['createdAt', 'earlierVersions', 'email', 'file', 'linksUntil', 'message', 'requestedBy', 'role', 'trialName', 'version'],
  )
  expect(shown).toMatchObject({
    ...{ trialName: 'Breath study', message: 'Please.', email: m.outsider, role: 'Sponsor' },
    file: { name: 'Protocol', type: 'other' },
    version: { number: 2, size: 16 },
  })
  expect(shown.earlierVersions).toEqual([{ number: 1, createdAt: expect.any(String), status: 'draft' }])
  expect(JSON.stringify(shown)).not.toContain(m.chief.email)
  expect(await m.download(shown.version.url)).toEqual([200, 'the newest draft'])
})

const ends: [string, (m: ReviewStudy) => unknown][] = [
  ['the file is deleted', (m) => m.owner.call('DELETE', `/files/${m.file}`, {})],
  ['the trial is deleted', (m) => m.owner.call('DELETE', `/trials/${m.trial}`)],
  [
    'the account is disabled',
    (m) => m.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(m.chief._id),
  ],
  ['access is removed', (m) => m.db.$client.query('DELETE FROM permissions WHERE user = ?').run(m.chief._id)],
  ['thirty days have passed', (m) => m.clock('2026-04-02T12:00:00Z')],
]
test.each(ends)('the link of an account ends when %s', async (_, end) => {
  const m = await reviewStudy()
  await m.request()
  const link = m.linkOf(m.chief.email)
  expect((await m.nobody.call('GET', link)).status).toBe(200)
  await end(m)
  expect((await m.nobody.call('GET', link)).status).toBe(404)
  expect((await m.nobody.call('POST', link, { decision: 'approved' })).status).toBe(404)
})

const codes: [string, (m: ReviewStudy, approval: string) => unknown][] = [
  ['decided', (m) => m.nobody.call('POST', m.linkOf(m.outsider), { decision: 'approved' })],
  ['rejected', (m) => m.nobody.call('POST', m.linkOf(m.chief.email), { decision: 'rejected', comment: 'No.' })],
  ['withdrawn', (m, approval) => m.owner.call('DELETE', `${m.url}/${approval}`)],
  ['stale', (m) => m.version(m.file, 'a newer draft')],
  ['expired', (m) => m.clock('2026-04-02T12:00:00Z')],
]
test.each(codes)('the holder of a link that ended learns that it is %s', async (code, end) => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  await end(m, _id)
  const { status, body } = await m.nobody.call('GET', m.linkOf(m.outsider))
  expect([status, (body as { details?: { code: string } }).details?.code]).toEqual([404, code])
  expect(await m.nobody.call('GET', `${m.linkOf(m.outsider)}/preview`)).toMatchObject({ status: 404 })
})

test('a document that cannot be shown says so by the link as it does to readers of the file', async () => {
  const m = await reviewStudy()
  await m.request()
  const byLink = await m.nobody.call('GET', `${m.linkOf(m.outsider)}/preview`)
  const byReader = await m.owner.call('GET', `/files/${m.file}/preview`)
  expect([byLink.status, byLink.body]).toEqual([400, byReader.body])
})

test('an address of an account that was disabled opens nothing', async () => {
  const m = await reviewStudy()
  const { _id, email } = m.invite([])
  await m.request({ approvers: [{ id: m.chief._id }, { email }] })
  const link = m.linkOf(email)
  expect((await m.nobody.call('GET', link)).status).toBe(200)
  m.db.$client.query('UPDATE users SET isDisabled = 1 WHERE _id = ?').run(_id)
  expect((await m.nobody.call('GET', link)).status).toBe(404)
})

test('neither lock stops a review', async () => {
  const m = await reviewStudy()
  m.db.$client.query('UPDATE trials SET isLocked = 1, isDatabaseLocked = 1 WHERE _id = ?').run(m.trial)
  await m.request()
  expect((await m.nobody.call('POST', m.linkOf(m.outsider), { decision: 'approved' })).status).toBe(200)
})

const wrongLink = (n: number) => `/file-reviews/${String(n).padStart(43, 'x')}` as const

test('an address may try 60 wrong links a minute; others go on, and so does it in the next minute', async () => {
  const m = await reviewStudy()
  await m.request()
  const link = m.linkOf(m.outsider)
  const guesser = m.person({}, '203.0.113.7')
  const audited = () => m.db.$client.query('SELECT count(*) AS n FROM auditEntries').get()
  const before = audited()
  const statuses: number[] = []
  for (let n = 0; n < 200; n++) statuses.push((await guesser.call('GET', wrongLink(n))).status)
  expect([statuses.indexOf(429), new Set(statuses)]).toEqual([60, new Set([404, 429])])
  expect((await guesser.call('GET', link)).status).toBe(429)
  expect((await m.nobody.call('GET', link)).status).toBe(200)
  expect(audited()).toEqual(before)
  m.clock(MINUTE)
  expect((await guesser.call('GET', link)).status).toBe(200)
})

test('requests whose bodies come late are no way around the limit of wrong links', async () => {
  const m = await reviewStudy()
  const bodies: ReadableStreamDefaultController<Uint8Array>[] = []
  const request = (n: number) =>
    new Request(`http://localhost${wrongLink(n)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: new ReadableStream<Uint8Array>({ start: (controller) => void bodies.push(controller) }),
    })
  const answers = Array.from({ length: 200 }, (_, n) => m.service.handle(request(n), '203.0.113.7'))
  const statuses: number[] = []
  for (const [at, body] of bodies.entries()) {
    body.enqueue(new TextEncoder().encode('{"decision":"approved"}'))
    body.close()
    statuses.push(present(await answers[at]).status)
  }
  expect([statuses.indexOf(429), new Set(statuses)]).toEqual([60, new Set([404, 429])])
})

test.each([
  `UPDATE fileApprovers SET decision = 'rejected' WHERE decision IS NOT NULL`,
  `UPDATE fileApprovers SET email = 'x@example.org'`,
  'DELETE FROM fileApprovers',
  `UPDATE fileApprovals SET status = 'open'`,
  `UPDATE fileApprovals SET message = 'x'`,
  'DELETE FROM fileApprovals',
])('the database refuses %s', async (sql) => {
  const m = await reviewStudy()
  const { _id } = await m.request({ approvers: [{ id: m.chief._id }] })
  await m.decide(m.chief, _id, 'approved')
  expect(() => m.db.$client.run(sql)).toThrow(/once|stay|kept/)
})
