import { describe, expect, test } from 'bun:test'
import { parse } from 'csv-parse/sync'
import { canonical } from '#conduct/signatures/content'
import { sha256 } from '#kernel/id'
import { stateOf } from '#office/delegation/rules'
import { firstOf, present } from '../../present'
import { siteStudy } from '../site.study'

const nurse = { role: 'studyNurse', startsOn: '2026-03-02', endsOn: null }
const chief = { ...nurse, role: 'principalInvestigator' }
const both = ['person', 'investigator'] as const
test.each([
  [nurse, [], 'awaitingPerson'],
  [nurse, ['person'], 'awaitingInvestigator'],
  [nurse, both, 'active'],
  [chief, [], 'awaitingPerson'],
  [chief, ['person'], 'active'],
  [{ ...nurse, startsOn: '2026-03-03' }, both, 'planned'],
  [{ ...nurse, endsOn: '2026-03-02' }, both, 'active'],
  [{ ...nurse, endsOn: '2026-03-01' }, both, 'ended'],
  [{ ...nurse, endsOn: '2026-03-01' }, [], 'ended'],
] as const)('%j, signed by %j, is %s', (entry, signed, state) => {
  expect(stateOf(entry, signed, '2026-03-02')).toBe(state)
})

async function withInvestigator() {
  const s = await siteStudy()
  const log = `/sites/${s.north}/delegations` as const
  const paul = s.atNorth('site.readSites')
  const nina = s.atNorth('site.readParticipants')
  const add = (user: string, role: string, more: Record<string, unknown> = {}) =>
    s.owner.do('createDelegation', s.north, {
      user,
      role,
      tasks: ['informedConsent', 'dataEntry'],
      startsOn: '2026-03-02',
      ...more,
    })
  const sign = (entry: { _id: string }) => `/delegations/${entry._id}/signatures` as const
  const head = await add(paul._id, 'principalInvestigator')
  const investigator = await s.confirmed(paul)
  return { ...s, log, paul, nina, add, sign, head, investigator }
}

test('an entry is in force once the person and the investigator have signed', async () => {
  const s = await withInvestigator()
  expect(s.head.state).toBe('awaitingPerson')
  expect((await s.investigator.post<'signDelegation'>(s.sign(s.head), { signedAs: 'person' })).state).toBe('active')
  const entry = await s.add(s.nina._id, 'studyNurse')
  expect(entry).toMatchObject({
    ...{ user: s.nina._id, role: 'studyNurse', tasks: ['informedConsent', 'dataEntry'], startsOn: '2026-03-02' },
    ...{ endsOn: null, state: 'awaitingPerson', signatures: [], createdBy: s.owner._id, site: s.north },
  })
  expect(s.mails().map(({ recipient }) => recipient)).toEqual([s.paul.email, s.nina.email])
  // The investigator signs after the person.
  expect((await s.investigator.call('POST', s.sign(entry), { signedAs: 'investigator' })).status).toBe(400)
  const own = await s.confirmed(s.nina)
  const accepted = await own.post<'signDelegation'>(s.sign(entry), { signedAs: 'person' })
  expect(accepted).toMatchObject({
    state: 'awaitingInvestigator',
    signatures: [{ signedAs: 'person', user: s.nina._id }],
  })
  expect(s.mails().at(-1)!.recipient).toBe(s.paul.email)
  s.clock(60e6)
  const inForce = await s.investigator.post<'signDelegation'>(s.sign(entry), { signedAs: 'investigator' })
  expect(inForce.state).toBe('active')
  const { hash, ...signature } = present(inForce.signatures.find(({ signedAs }) => signedAs === 'investigator'))
  expect(signature).toEqual({ ...signature, user: s.paul._id, signedAt: s.now(), valid: true })
  // Anybody can compute the hash from what the API answers.
  const { _id, trial, site, role, tasks, otherTasks = null, startsOn, user, userName } = inForce
  const content = {
    entry: { _id, trial, site, person: { _id: user, name: userName }, role, tasks, otherTasks, startsOn },
    signedAs: 'investigator',
    signer: { _id: signature.user, name: signature.userName },
    signedAt: signature.signedAt,
  }
  expect(hash).toBe(sha256(canonical(content)))
  expect(present(await s.entry('signDelegation')).event).toMatchObject({
    signature: { signedAs: 'investigator', hash },
  })
  expect((await s.investigator.call('POST', s.sign(entry), { signedAs: 'investigator' })).status).toBe(400)
  expect((await s.paul.do('listDelegations', s.north)).delegations.map(({ state }) => state)).toEqual([
    'active',
    'active',
  ])
  // Signatures are kept as long as the trial, and go with it.
  expect(() => s.db.$client.run('DELETE FROM delegationSignatures')).toThrow('signatures are kept')
  await s.owner.do('deleteTrial', s.trial)
  expect(s.db.$client.query('SELECT count(*) AS n FROM delegationSignatures').get()).toEqual({ n: 0 })
})

test('nobody signs for somebody else, with an API key, or without a fresh confirmation', async () => {
  const s = await withInvestigator()
  const entry = await s.add(s.nina._id, 'studyNurse')
  const key = await s.nina.call('POST', s.sign(entry), { signedAs: 'person' })
  expect([key.status, key.body.details.code]).toEqual([403, 'reauth'])
  const own = await s.confirmed(s.nina)
  const asOwner = await s.confirmed(s.owner)
  expect((await asOwner.call('POST', s.sign(entry), { signedAs: 'person' })).status).toBe(403)
  // The entry of the investigator is not signed yet, so that nobody can delegate.
  expect((await own.post<'signDelegation'>(s.sign(entry), { signedAs: 'person' })).state).toBe('awaitingInvestigator')
  expect((await s.investigator.call('POST', s.sign(entry), { signedAs: 'investigator' })).status).toBe(400)
  await s.investigator.post<'signDelegation'>(s.sign(s.head), { signedAs: 'person' })
  for (const app of [own, asOwner])
    expect((await app.call('POST', s.sign(entry), { signedAs: 'investigator' })).status).toBe(403)
  expect((await s.investigator.call('POST', s.sign(s.head), { signedAs: 'investigator' })).status).toBe(400)
  s.clock(6 * 60e6)
  const stale = await s.investigator.call('POST', s.sign(entry), { signedAs: 'investigator' })
  expect([stale.status, stale.body.details.code]).toEqual([403, 'reauth'])
  const stranger = await s.confirmed(s.atSouth('site.admin'))
  expect((await stranger.call('POST', s.sign(entry), { signedAs: 'person' })).status).toBe(404)
})

test('entries end, and are neither changed nor deleted', async () => {
  const s = await withInvestigator()
  const entry = await s.add(s.nina._id, 'studyNurse', { startsOn: '2026-03-05' })
  const at = `/delegations/${entry._id}` as const
  expect((await s.owner.call('PUT', at, { endsOn: '2026-03-04' })).status).toBe(400)
  expect((await s.owner.call('PUT', at, { endsOn: '2026-03-05', tasks: ['other'] })).status).toBe(422)
  const ended = await s.owner.do('endDelegation', entry._id, { endsOn: '2026-03-31', endReason: 'Left.' })
  expect(ended).toMatchObject({ endsOn: '2026-03-31', endReason: 'Left.', endedBy: s.owner._id, endedAt: s.now() })
  expect((await s.owner.call('PUT', at, { endsOn: '2026-04-30' })).status).toBe(400)
  expect((await s.owner.call('DELETE', at)).status).toBe(404)
  const run = (sql: string) => () => s.db.$client.run(sql)
  expect(run(`UPDATE delegations SET tasks = '["other"]'`)).toThrow('append-only')
  expect(run(`UPDATE delegations SET endsOn = '2027-01-01' WHERE endsOn IS NOT NULL`)).toThrow('append-only')
  expect(run('DELETE FROM delegations')).toThrow('append-only')
  await s.investigator.post<'signDelegation'>(s.sign(s.head), { signedAs: 'person' })
  expect(run('UPDATE delegationSignatures SET user = 1')).toThrow('not changed')
  expect(run('DELETE FROM delegationSignatures')).toThrow('kept')
  s.clock('2026-04-01T08:00:00Z')
  const own = await s.confirmed(s.nina)
  expect((await own.call('POST', s.sign(entry), { signedAs: 'person' })).status).toBe(400)
  expect((await s.owner.do('listDelegations', s.north)).delegations.map(({ state }) => state)).toEqual([
    'active',
    'ended',
  ])
})

describe('the principal investigator', () => {
  test('is entered by people with a permission on the trial only, one at a time', async () => {
    const s = await withInvestigator()
    const local = s.atNorth('site.write')
    const body = { user: s.nina._id, tasks: ['eligibility'], startsOn: '2026-03-02' }
    expect((await local.do('createDelegation', s.north, { ...body, role: 'subInvestigator' })).role).toBe(
      'subInvestigator',
    )
    const chief = { ...body, role: 'principalInvestigator' } as const
    expect((await local.call('POST', s.log, chief)).status).toBe(403)
    expect((await local.call('PUT', `/delegations/${s.head._id}`, { endsOn: '2026-03-31' })).status).toBe(403)
    expect((await s.owner.call('POST', s.log, chief)).status).toBe(400)
    expect((await s.owner.do('createDelegation', s.south, { ...chief, user: s.owner._id })).role).toBe(chief.role)
    await s.owner.do('endDelegation', s.head._id, { endsOn: '2026-03-31' })
    expect((await s.owner.call('POST', s.log, { ...chief, startsOn: '2026-03-31' })).status).toBe(400)
    expect((await s.owner.do('createDelegation', s.north, { ...chief, startsOn: '2026-04-01' })).state).toBe(
      'awaitingPerson',
    )
  })

  test('does not delegate after their last day', async () => {
    const s = await withInvestigator()
    await s.investigator.post<'signDelegation'>(s.sign(s.head), { signedAs: 'person' })
    const entry = await s.add(s.nina._id, 'studyNurse')
    await (await s.confirmed(s.nina)).post<'signDelegation'>(s.sign(entry), { signedAs: 'person' })
    await s.owner.do('endDelegation', s.head._id, { endsOn: '2026-03-03' })
    s.clock('2026-03-04T08:00:00Z')
    const late = await s.confirmed(s.paul)
    expect((await late.call('POST', s.sign(entry), { signedAs: 'investigator' })).status).toBe(400)
  })
})

test('the log is read, written and exported by those who may, at their sites', async () => {
  const s = await withInvestigator()
  await s.owner.do('createDelegation', s.north, {
    ...{ user: s.nina._id, role: 'other', tasks: ['other'], otherTasks: '=Porter', startsOn: '2026-03-02' },
  })
  const wrong = { user: s.nina._id, role: 'other', startsOn: '2026-03-02' }
  for (const body of [
    { ...wrong, tasks: ['other'] },
    { ...wrong, tasks: ['other'], otherTasks: ' ' },
  ])
    expect((await s.owner.call('POST', s.log, body)).status).toBe(400)
  for (const tasks of [[], ['cooking'], 'other'])
    expect((await s.owner.call('POST', s.log, { ...wrong, tasks })).status).toBe(422)
  for (const { _id } of [s.atSouth('site.write'), s.neighbours().owner])
    expect((await s.owner.call('POST', s.log, { ...wrong, user: _id, tasks: ['dataEntry'] })).status).toBe(400)
  const { csv } = await s.paul.do('listDelegations', s.north, { format: 'csv' })
  const rows: Record<string, string>[] = parse(csv, { columns: true })
  expect(rows).toMatchObject([
    { role: 'principalInvestigator', tasks: 'informedConsent; dataEntry', state: 'awaitingPerson' },
    { role: 'other', tasks: 'other', otherTasks: "'=Porter", startsOn: '2026-03-02', endsOn: '' },
  ])
  expect(await s.entry('exportDelegations')).toMatchObject({ event: { format: 'csv' } })
  expect((await s.nina.call('GET', s.log)).status).toBe(403)
  expect((await s.paul.call('POST', s.log, { ...wrong, tasks: ['dataEntry'] })).status).toBe(403)
  expect((await s.atSouth('site.admin').call('GET', s.log)).status).toBe(404)
  const page = await s.owner.do('listDelegations', s.north, { perPage: 1, page: 2 })
  expect([firstOf(page.delegations).role, page.nextPageAvailable]).toEqual(['other', false])
})

test('of two who enter a principal investigator at once, one is refused', async () => {
  const s = await siteStudy()
  const body = { user: s.owner._id, role: 'principalInvestigator', tasks: ['eligibility'], startsOn: '2026-03-02' }
  const all = await Promise.all([1, 2, 3].map(() => s.owner.call('POST', `/sites/${s.north}/delegations`, body)))
  expect(all.map(({ status }) => status).sort()).toEqual([200, 400, 400])
})
