import { describe, expect, test } from 'bun:test'
import { take } from '../../../present'
import { reviewStudy } from './approvals.study'

test('a request names its version and approvers, and sends each one e-mail with a link of their own', async () => {
  const m = await reviewStudy()
  const before = m.mails().length
  const made = await m.request({ message: 'By Friday, please.' })
  expect(made).toMatchObject({
    ...{ file: m.file, version: m.draft._id, createdBy: m.asker._id, status: 'open', endedAt: null },
    message: 'By Friday, please.',
    approvers: [
      { id: m.chief._id, email: m.chief.email, role: null, decision: null },
      { id: null, email: m.outsider, name: null, role: 'Sponsor', decision: null, decidedAt: null, comment: null },
    ],
  })
  expect(JSON.stringify(made)).not.toContain('hash')
  const mails = m.mails().slice(before)
  expect(mails.map(({ recipient }) => recipient)).toEqual([m.chief.email, m.outsider])
  for (const { subject, body } of mails) {
    expect(subject).toBe('Breath study: please review “Protocol”')
    expect(body).toContain('By Friday, please.')
  }
  expect(m.tokenOf(m.chief.email)).not.toBe(m.tokenOf(m.outsider))
  const stored = JSON.stringify(m.db.$client.query('SELECT * FROM fileApprovers').all())
  expect(stored).not.toContain(m.tokenOf(m.outsider))
  expect((await m.owner.do('listFileApprovals', m.file)).approvals).toEqual([made])
})

test('a request is sent once, also if it is repeated with its key or twice at once', async () => {
  const m = await reviewStudy()
  const body = { approvers: [{ id: m.chief._id }] }
  const keyed = () => m.asker.call('POST', m.url, body, { headers: { 'Idempotency-Key': 'one' } })
  const [first, second] = await Promise.all([keyed(), keyed()])
  expect([first.status, second.body]).toEqual([200, first.body])
  expect((await m.asker.call('POST', m.url, body)).status).toBe(400)
  expect(m.mails().filter(({ recipient }) => recipient === m.chief.email)).toHaveLength(1)
})

test('the version is approved when all have approved, signed in or by link', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  expect((await m.decide(m.chief, _id, 'approved', ' Good. ')).status).toBe(200)
  expect([await m.statusOf(), await m.requestStatus()]).toEqual(['draft', 'open'])
  const answer = await m.nobody.call('POST', m.linkOf(m.outsider), { decision: 'approved' })
  expect([answer.status, answer.body.decision]).toEqual([200, 'approved'])
  expect(await m.statusOf()).toBe('approved')
  const [shown] = take(1, (await m.owner.do('listFileApprovals', m.file)).approvals)
  expect(shown).toMatchObject({
    status: 'approved',
    approvers: [
      { id: m.chief._id, decision: 'approved', comment: 'Good.', byLink: false },
      { id: null, email: m.outsider, decision: 'approved', comment: null, byLink: true },
    ],
  })
  expect(shown.approvers.every(({ decidedAt }) => decidedAt === m.now())).toBe(true)
  expect(m.mails().at(-1)).toMatchObject({
    recipient: m.asker.email,
    subject: 'Breath study: “Protocol” was reviewed',
  })
})

test('one rejection, which needs a comment, rejects the version and ends the request and all links', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  const chief = m.linkOf(m.chief.email)
  for (const comment of [undefined, '', '  ', ' \u200b ', null])
    expect((await m.nobody.call('POST', m.linkOf(m.outsider), { decision: 'rejected', comment })).status).toBe(400)
  await m.nobody.post<'decideFileReview'>(m.linkOf(m.outsider), { decision: 'rejected', comment: 'Page 3 is missing.' })
  expect([await m.statusOf(), await m.requestStatus()]).toEqual(['rejected', 'rejected'])
  expect((await m.nobody.call('GET', chief)).status).toBe(404)
  expect((await m.decide(m.chief, _id, 'approved')).status).toBe(400)
  expect(m.mails().at(-1)?.body).toContain('Comment: Page 3 is missing.')
  expect((await m.asker.call('POST', m.url, { approvers: [{ id: m.chief._id }] })).body.message).toBe(
    'The latest version is rejected already: add a new one.',
  )
})

test('a decision is given once, also when two arrive at once', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request({
    approvers: [{ id: m.chief._id }, { email: m.outsider }, { email: 'b@example.com' }],
  })
  const link = m.linkOf(m.chief.email)
  const answers = await Promise.all([
    m.nobody.call('POST', link, { decision: 'approved' }),
    m.decide(m.chief, _id, 'rejected', 'No.'),
    m.nobody.call('POST', link, { decision: 'approved' }),
    m.decide(m.chief, _id, 'approved'),
  ])
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  const outsider = m.linkOf(m.outsider)
  const both = await Promise.all([1, 2].map(() => m.nobody.call('POST', outsider, { decision: 'approved' })))
  const isOpen = (await m.requestStatus()) === 'open'
  expect(both.filter(({ status }) => status === 200)).toHaveLength(isOpen ? 1 : 0)
})

test('a withdrawn request is closed, and its links end', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  const link = m.linkOf(m.outsider)
  await m.asker.do('withdrawFileApproval', m.file, _id)
  expect([await m.statusOf(), await m.requestStatus()]).toEqual(['draft', 'withdrawn'])
  expect((await m.nobody.call('GET', link)).status).toBe(404)
  expect((await m.nobody.call('POST', link, { decision: 'approved' })).status).toBe(404)
  expect((await m.decide(m.chief, _id, 'approved')).status).toBe(400)
  expect((await m.asker.call('DELETE', `${m.url}/${_id}`)).status).toBe(400)
  expect((await m.request()).status).toBe('open')
})

test('a new version makes an open request stale, and leaves those that have ended', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  await m.asker.do('withdrawFileApproval', m.file, _id)
  await m.request()
  const link = m.linkOf(m.outsider)
  await m.version(m.file, 'the next draft')
  expect((await m.owner.do('listFileApprovals', m.file)).approvals.map(({ status }) => status)).toEqual([
    'withdrawn',
    'stale',
  ])
  expect((await m.nobody.call('POST', link, { decision: 'approved' })).status).toBe(404)
  expect(await m.statusOf()).toBe('draft')
})

describe('an account is found by its mailbox, however both addresses are written', () => {
  const forms = ['chief@xn--exmple-cua.org', 'chief@exämple.org', 'Chief@EXÄMPLE.org']
  test.each(forms)('stored as %s', async (stored) => {
    const m = await reviewStudy()
    m.db.$client.query('UPDATE users SET email = ? WHERE _id = ?').run(stored, m.chief._id)
    for (const email of forms) {
      const { _id, approvers } = await m.request({ approvers: [{ email }] })
      expect(approvers).toMatchObject([{ id: m.chief._id, email: stored }])
      await m.asker.do('withdrawFileApproval', m.file, _id)
    }
  })
})

/** The same mailbox, written with a soft hyphen in its domain. */
const hidden = (email: string) => email.replace('@', '@\u00ad')

describe('a request is refused', () => {
  test.each<[string, (m: Awaited<ReturnType<typeof reviewStudy>>) => unknown, number]>([
    ['without approvers', () => [], 422],
    ['of nobody', () => [{}], 400],
    ['of somebody twice', (m) => [{ id: m.chief._id }, { email: m.chief.email.toUpperCase() }], 400],
    ['of the caller', (m) => [{ id: m.chief._id }, { id: m.asker._id }], 400],
    ['of the address of the caller', (m) => [{ id: m.chief._id }, { email: m.asker.email.toUpperCase() }], 400],
    ['of the caller with an invisible sign', (m) => [{ id: m.chief._id }, { email: hidden(m.asker.email) }], 400],
    [
      'of one mailbox twice',
      (m) => [{ id: m.chief._id }, { email: 'a@exämple.org' }, { email: 'a@xn--exmple-cua.org' }],
      400,
    ],
    ['of two mailboxes in one address', (m) => [{ id: m.chief._id }, { email: 'a,b@example.org' }], 400],
    ['of an account that cannot read', (m) => [{ id: m.chief._id }, { id: m.invite([])._id }], 400],
    ['of an account that is none', () => [{ id: 'f'.repeat(24) }], 400],
    ['with another address than the account has', (m) => [{ id: m.chief._id, email: m.outsider }], 400],
    ['of outsiders alone', (m) => [{ email: m.outsider }], 400],
    ['of people who may not approve', (m) => [{ id: m.reader._id }, { email: m.outsider }], 400],
    ['of one who may approve elsewhere', (m) => [{ id: m.staff(m.trial, ['site.approveFiles'], m.south)._id }], 400],
    ['of too many', (m) => Array.from({ length: 21 }, (_, n) => ({ email: `${n}${m.outsider}` })), 422],
    ['with half an emoji', (m) => [{ id: m.chief._id, role: '\ud83d' }], 422],
  ])('%s', async (_, approvers, status) => {
    const m = await reviewStudy()
    const before = m.mails().length
    expect((await m.asker.call('POST', m.url, { approvers: approvers(m) })).status).toBe(status)
    expect([(await m.owner.do('listFileApprovals', m.file)).approvals, m.mails().length]).toEqual([[], before])
  })

  test('about a file without a version', async () => {
    const m = await reviewStudy()
    const { _id } = await m.add()
    expect((await m.asker.call('POST', `/files/${_id}/approvals`, { approvers: [{ id: m.chief._id }] })).status).toBe(
      400,
    )
  })
})

test('somebody who may approve can ask outsiders alone, until they lose the permission', async () => {
  const m = await reviewStudy()
  const lead = m.staff(m.trial, ['trial.approveFiles', 'trial.requestFileApproval'])
  await m.request({ approvers: [{ email: m.outsider }] }, lead)
  m.db.$client.query('DELETE FROM permissions WHERE user = ?').run(lead._id)
  const link = m.linkOf(m.outsider)
  expect((await m.nobody.call('POST', link, { decision: 'approved' })).status).toBe(400)
  expect([await m.statusOf(), await m.requestStatus()]).toEqual(['draft', 'open'])
  m.grant(lead, m.trial, ['trial.approveFiles'])
  expect((await m.nobody.call('POST', link, { decision: 'approved' })).status).toBe(200)
  expect(await m.statusOf()).toBe('approved')
})

test('each act is in the audit trail: that of somebody without an account by their address', async () => {
  const m = await reviewStudy()
  const { _id } = await m.request()
  await m.nobody.post<'decideFileReview'>(m.linkOf(m.outsider), { decision: 'approved', comment: 'Fine.' })
  await m.decide(m.chief, _id, 'rejected', 'No.')
  const { _id: next } = await m.version(m.file, 'next').then(() => m.request())
  await m.asker.do('withdrawFileApproval', m.file, next)
  const { entries: log } = await m.owner.do('readLogs', m.trial)
  const entries = log.filter(({ type }) => type.endsWith('FileApproval')).sort((a, b) => a.number - b.number)
  expect(entries.map(({ type, userEmail }) => [type, userEmail])).toEqual([
    ['createFileApproval', m.asker.email],
    ['decideFileApproval', m.outsider],
    ['decideFileApproval', m.chief.email],
    ['createFileApproval', m.asker.email],
    ['withdrawFileApproval', m.asker.email],
  ])
  expect(entries[1]!.event).toMatchObject({ fileId: m.file, approvalId: _id, decision: 'approved', comment: 'Fine.' })
  expect(JSON.stringify(entries)).not.toMatch(/[\w-]{43}"/)
})
