/** Arms are concealed from the admins of a trial with `blindsAdmins` (docs/permissions.md, "Blinded administrators"). */
import { describe, expect, test } from 'bun:test'
import { downloaded, ended, partsOf } from '../../exchange/studyRecord/archive'
import { PASSWORD } from '../../harness'
import { present } from '../../present'
import { proof } from '../../proof'
import { randomisedStudy, SEED, secretNames } from './randomisation.study'

/** A trial whose admins are blinded, with a sealed randomisation and two allocations; two admins and a statistician in the web app. */
async function blinded() {
  const s = await randomisedStudy()
  const trial = `/trials/${s.trial}` as const
  const fresh = async (who: { _id: string; email: string }) => {
    const app = await s.signIn(who)
    await app.do('confirmIdentity', { password: PASSWORD })
    return { ...app, _id: who._id, email: who.email }
  }
  const admin = await fresh(s.owner)
  const other = await s.confirmed(['trial.admin'])
  const statistician = await s.confirmed(['trial.read'])
  await admin.do('updateTrial', s.trial, { blindsAdmins: true })
  const recipient = s.staff(s.trial, ['trial.read'])
  const unblindingRecipients = [recipient._id]
  const { _id: randomisation } = await admin.do(
    'createRandomisation',
    s.trial,
    s.body({ seed: null, unblindingRecipients }),
  )
  await admin.do('sealRandomisation', randomisation)
  const { _id: allocation } = (await s.allocate(randomisation, s.person(1))).body
  const list = `/randomisations/${randomisation}/list` as const
  const grant = (
    to: string,
    words: Record<string, string[]> = { [s.trial]: ['trial.readRandomisation'] },
    by: { call: typeof admin.call } = admin,
  ) =>
    by.call('PUT', `${trial}/users/${to}/unblinding-permissions`, {
      unblindingPermissions: words,
      reason: 'The committee.',
    })
  const unblind = (by: { call: typeof admin.call }) =>
    by.call('POST', `/randomisations/${randomisation}/allocations/${allocation}/unblinding`, {
      participantId: 'R-1',
      reason: 'An emergency.',
    })
  const sees = async (by: { call: typeof admin.call }) => (await by.call('GET', list)).status === 200
  const mails = () =>
    s.db.$client.query(`SELECT recipient, subject, body FROM outbox ORDER BY _id`).all() as {
      recipient: string
      subject: string
      body: string
    }[]
  return {
    ...s,
    at: trial,
    fresh,
    admin,
    other,
    statistician,
    recipient,
    randomisation,
    allocation,
    list,
    grant,
    unblind,
    sees,
    mails,
  }
}

describe('an admin', () => {
  test('sees no arm and unblinds nobody: by no permission, role, site, key or team', async () => {
    const s = await blinded()
    const everything = Object.values(secretNames).filter(
      (name) => name !== secretNames.extended && name !== secretNames.batch,
    )
    for (const url of [
      `${s.at}/groups`,
      `${s.at}/pack-types`,
      `${s.at}/randomisations`,
      `${s.at}/logs`,
      `${s.at}/participants`,
    ]) {
      const text = JSON.stringify((await s.admin.call('GET', url)).body)
      expect([url, everything.filter((name) => text.includes(name))]).toEqual([url, []])
    }
    const words = ['trial.admin', 'trial.readRandomisation', 'trial.unblindParticipants', 'trial.randomise']
    // To oneself by permissions, by a role, on a site; and to somebody else.
    await s.admin.do('setPermissions', s.trial, s.owner._id, {
      permissions: { [s.trial]: words, [s.north]: ['site.admin', 'site.unblindParticipants'] },
    })
    const role = await s.admin.do('createRole', s.trial, { template: 'statisticianUnblinded' })
    await s.admin.do('assignRole', s.owner._id, role._id)
    await s.admin.do('setPermissions', s.trial, s.statistician._id, { permissions: { [s.trial]: words } })
    const manager = await s.fresh(s.invite(['trials.manage']))
    for (const by of [s.admin, s.owner, s.other, s.statistician, manager]) {
      expect(await s.sees(by)).toBe(false)
      expect((await s.unblind(by)).status).toBe(403)
    }
    expect((await s.unblind(s.admin)).body.details.needs).toEqual(['trial.unblindParticipants'])
    const local = await s.confirmed(['site.admin', 'site.randomise'], s.north)
    expect((await s.unblind(local)).status).toBe(403)
    expect((await s.allocate(s.randomisation, s.person(2), local)).status).toBe(200)
  })

  proof('gets a study record, and a locked dataset, without arms, also if somebody who sees them locks', async () => {
    const s = await blinded()
    expect((await s.grant(s.other._id)).status).toBe(200)
    const textOf = async (request: string) =>
      [...partsOf(await downloaded(s, request)).values()].map((part) => `${part}`).join('\n')
    const own = await s.admin.do('exportStudyRecord', s.trial, {})
    expect(await textOf(present((await ended(s.admin, own.jobId)).result).request as string)).not.toContain(
      secretNames.arm,
    )
    const seeing = await s.other.do('exportStudyRecord', s.trial, {})
    expect(await textOf(present((await ended(s.other, seeing.jobId)).result).request as string)).toContain(
      secretNames.arm,
    )
    await s.other.do('updateTrial', s.trial, { isDatabaseLocked: true, databaseLockJustification: 'All data are in.' })
    const dataset = async () => present((await s.admin.do('listLockedDatasets', s.trial)).datasets[0])
    for (let tries = 0; tries < 200 && (await dataset()).request === null; tries++) await Bun.sleep(50)
    expect(await textOf(present((await dataset()).request))).not.toContain(secretNames.arm)
  })

  test('copies the trial without arms', async () => {
    const s = await blinded()
    const copy = await s.owner.do('createTrial', s.team, { name: 'A copy', copyFrom: s.trial })
    expect(copy.blindsAdmins).toBe(true)
    expect((await s.owner.do('listRandomisations', copy._id)).randomisations).toEqual([])
    expect(JSON.stringify(await s.owner.do('listPackTypes', copy._id))).not.toContain(secretNames.packType)
  })

  test('gives no seed and no list; who sees arms gives both, and nothing else', async () => {
    const s = await blinded()
    const url = `${s.at}/randomisations` as const
    const draft = {
      method: 'list' as const,
      name: 'Another',
      blockSizes: undefined,
      arms: [{ name: 'A' }, { name: 'B' }],
    }
    for (const order of [
      { method: 'simple', seed: SEED },
      { method: 'list', list: 'arm\nA\nB\n' },
    ])
      expect((await s.admin.call('POST', url, { ...draft, ...order })).body.details.needs).toEqual([
        'trial.readRandomisation',
      ])
    const { _id } = await s.admin.post<'createRandomisation'>(url, draft)
    const at = `/randomisations/${_id}` as const
    expect((await s.statistician.call('PUT', at, { list: 'arm\nA\nB\n' })).status).toBe(403)
    await s.grant(s.statistician._id)
    expect((await s.statistician.call('PUT', at, { name: 'Mine' })).body.details.needs).toEqual(['trial.admin'])
    expect((await s.statistician.do('updateRandomisation', _id, { list: 'arm\nA\nB\n' })).list).toBe('arm\nA\nB\n')
    // The faults of the list would tell where the arms are in it.
    const renamed = await s.admin.call('PUT', at, { arms: [{ name: 'X' }, { name: 'B' }] })
    expect([renamed.status, renamed.body.details.needs]).toEqual([403, ['trial.readRandomisation']])
    expect((await s.admin.do('updateRandomisation', _id, { name: 'Renamed' })).list).toBeUndefined()
    expect((await s.admin.do('updateRandomisation', _id, { requiresConsent: [] })).name).toBe('Renamed')
    expect((await s.admin.do('sealRandomisation', _id)).status).toBe('sealed')
  })
})

describe('a grant', () => {
  test('is given by nobody to another account with the same mailbox', async () => {
    const s = await blinded()
    const [name, host] = s.owner.email.split('@')
    s.db.$client.run('UPDATE users SET email = ? WHERE _id = ?', [`${name}+arms@${host}`, s.statistician._id])
    const refused = await s.grant(s.statistician._id)
    expect([refused.status, refused.body.message]).toEqual([403, expect.stringContaining('another account')])
    expect(await s.sees(s.statistician)).toBe(false)
    const words = { [s.trial]: ['trial.readRandomisation'] }
    expect((await s.grant(s.statistician._id, words, s.other)).status).toBe(200)
  })

  test('shows arms to that person only, is told by e-mail and recorded, and ends', async () => {
    const s = await blinded()
    const given = await s.grant(s.statistician._id)
    expect([given.status, given.body.unblindingPermissions]).toEqual([200, { [s.trial]: ['trial.readRandomisation'] }])
    expect([await s.sees(s.statistician), await s.sees(s.admin), await s.sees(s.other)]).toEqual([true, false, false])
    expect([secretNames.arm, secretNames.otherArm]).toContain((await s.unblind(s.statistician)).body.arm.name)
    const told = s.mails().filter(({ subject }) => subject.includes('may see arms'))
    expect(told.map(({ recipient }) => recipient).sort()).toEqual(
      [s.owner.email, s.other.email, s.recipient.email].sort(),
    )
    expect(told[0]!.body).toContain(s.statistician.email)
    const { entries } = await s.owner.do('readLogs', s.trial, { type: 'setUnblindingPermissions' })
    expect(present(entries[0]).event).toMatchObject({ user: s.statistician._id, before: {}, reason: 'The committee.' })
    const person = present(
      (await s.owner.do('listPeople', s.trial)).users.find(({ _id }) => _id === s.statistician._id),
    )
    expect(person.unblindingPermissions).toEqual({ [s.trial]: ['trial.readRandomisation'] })
    // Ended by whoever has it, without a mail.
    expect((await s.grant(s.statistician._id, {})).status).toBe(200)
    expect(await s.sees(s.statistician)).toBe(false)
    expect(s.mails().filter(({ subject }) => subject.includes('may see arms'))).toHaveLength(3)
  })

  test('on a site is for the emergencies of that site', async () => {
    const s = await blinded()
    const here = await s.confirmed(['site.read', 'site.randomise'], s.north)
    const there = await s.confirmed(['site.read', 'site.randomise'], s.south)
    for (const [who, site] of [
      [here, s.north],
      [there, s.south],
    ] as const)
      expect((await s.grant(who._id, { [site]: ['site.unblindParticipants'] })).status).toBe(200)
    expect((await s.unblind(here)).status).toBe(200)
    expect((await s.unblind(there)).status).toBe(404)
    expect(await s.sees(here)).toBe(false)
  })

  test.each([
    ['to oneself', 403, (s: Awaited<ReturnType<typeof blinded>>) => s.grant(s.owner._id)],
    ['with an API key', 403, (s) => s.grant(s.statistician._id, undefined, s.owner)],
    ['by somebody who is no admin', 403, (s) => s.grant(s.other._id, undefined, s.statistician)],
    ['to a member without a permission', 400, (s) => s.grant(s.invite([])._id)],
    ['to an account that is not set up', 400, (s) => s.grant(s.staff(s.trial, ['trial.read'])._id)],
    ['to a stranger', 404, (s) => s.grant(s.neighbours().owner._id)],
    ['of another permission', 422, (s) => s.grant(s.statistician._id, { [s.trial]: ['trial.admin'] })],
    ['of arms on a site', 422, (s) => s.grant(s.statistician._id, { [s.north]: ['site.readRandomisation'] })],
    ['of nonsense', 422, (s) => s.grant(s.statistician._id, { [s.trial]: ['trial.fly'] })],
    [
      'without a reason, or with half an emoji',
      422,
      (s) =>
        s.admin.call('PUT', `${s.at}/users/${s.statistician._id}/unblinding-permissions`, {
          unblindingPermissions: {},
          reason: '\ud83d',
        }),
    ],
  ] as [string, number, (s: Awaited<ReturnType<typeof blinded>>) => Promise<{ status: number }>][])(
    'is refused %s',
    async (_, status, ask) => {
      const s = await blinded()
      const before = s.mails().length
      expect((await ask(s)).status).toBe(status)
      expect([await s.sees(s.statistician), await s.sees(s.admin), s.mails().length]).toEqual([false, false, before])
    },
  )

  test('ends when the person leaves the trial, and does not come back with them', async () => {
    const s = await blinded()
    await s.grant(s.statistician._id)
    const url = `${s.at}/users/${s.statistician._id}/permissions` as const
    await s.admin.put<'setPermissions'>(url, { permissions: {} })
    await s.db.$client.run(`INSERT INTO permissions VALUES (?, ?, ?, '["trial.read"]')`, [
      s.statistician._id,
      s.trial,
      s.trial,
    ])
    expect(await s.sees(s.statistician)).toBe(false)
  })

  test('is no way in a trial whose admins are not blinded', async () => {
    const s = await randomisedStudy()
    const app = await s.confirmed(['trial.admin'])
    const body = { unblindingPermissions: {}, reason: 'The committee.' }
    const reader = s.staff(s.trial, ['trial.read'])
    expect((await app.call('PUT', `/trials/${s.trial}/users/${reader._id}/unblinding-permissions`, body)).status).toBe(
      400,
    )
  })
})

describe('the setting', () => {
  test('needs trial.admin and a fresh confirmation', async () => {
    const s = await randomisedStudy()
    const at = `/trials/${s.trial}` as const
    expect((await s.owner.call('PUT', at, { blindsAdmins: true })).body.details.code).toBe('reauth')
    const writer = await s.confirmed(['trial.write'])
    expect((await writer.call('PUT', at, { blindsAdmins: true })).body.details.needs).toEqual(['trial.admin'])
    const admin = await s.confirmed(['trial.admin'])
    expect((await admin.do('updateTrial', s.trial, { blindsAdmins: true })).blindsAdmins).toBe(true)
    expect((await admin.do('updateTrial', s.trial, { blindsAdmins: false })).blindsAdmins).toBe(false)
  })

  test('is too late after a sealing, and while admins know a seed or a list', async () => {
    const s = await randomisedStudy()
    const admin = await s.confirmed(['trial.admin'])
    const on = () => admin.call('PUT', `/trials/${s.trial}`, { blindsAdmins: true })
    const draft = await s.draft()
    expect((await on()).status).toBe(400)
    await s.owner.do('updateRandomisation', draft, { seed: null })
    await s.owner.do('sealRandomisation', draft)
    expect((await on()).body.message).toContain('sealed already')
  })

  test('stays on until the unblinding; then arms are open to all, and grants end with it', async () => {
    const s = await blinded()
    const off = () => s.admin.call('PUT', s.at, { blindsAdmins: false })
    await s.grant(s.statistician._id)
    expect((await off()).status).toBe(400)
    await s.admin.do('closeRandomisation', s.randomisation)
    expect((await off()).status).toBe(400)
    await s.admin.do('unblindRandomisation', s.randomisation, { reason: 'The analysis begins.' })
    expect((await off()).status).toBe(200)
    expect(s.db.$client.query('SELECT * FROM unblindingGrants').all()).toEqual([])
    expect(await s.sees(s.admin)).toBe(true)
  })

  test('whoever is no longer told of unblindings is told that', async () => {
    const s = await blinded()
    await s.admin.do('updateRandomisation', s.randomisation, { unblindingRecipients: [] })
    const told = s.mails().filter(({ subject }) => subject.includes('no longer told'))
    expect(told.map(({ recipient }) => recipient)).toEqual([s.recipient.email])
  })
})

test('blinded admins hold no stock of the arms back: what is left, and refused, would tell which packs are of one type', async () => {
  const s = await blinded()
  const packs = (state: string) =>
    s.db.$client
      .query<{ _id: string }, [string]>('SELECT _id FROM packs WHERE state = ? ORDER BY name')
      .all(state)
      .map(({ _id }) => _id)
  const stock = packs('inStock')
  const [one, two] = [present(stock[0]), present(stock[1])]
  const event = { type: 'quarantined', reason: 'To see what is left.' }
  const tries: [string, string, object?][] = [
    ['POST', `/packs/${one}/events`, event],
    ['POST', '/packs/events', { ids: [one, two], ...event }],
    ['POST', `/packs/${one}/events`, { type: 'moved', site: null }],
    ['POST', `/packs/${one}/events`, { type: 'lost', reason: 'Lost, as it seems.' }],
    ['PUT', `/packs/${one}`, { expiryDate: '2026-03-01' }],
    ['PUT', '/packs/update', { ids: [one, two], availableToAllGroups: false }],
    ['PUT', `/packs/${one}`, { assignedToSite: null }],
    ['DELETE', `/packs/${one}`],
    ['POST', '/packs/delete', { ids: [one] }],
  ]
  const writer = s.staff(s.trial, ['trial.write', 'trial.deletePacks'])
  for (const by of [s.admin, s.owner, writer])
    for (const [method, url, body] of tries) {
      const { status, body: answer } = await by.call(method, url, body)
      expect([method, url, status, answer.details?.needs]).toEqual([method, url, 403, ['trial.readRandomisation']])
    }
  expect(packs('inStock')).toEqual(stock)
  // What came back from a participant, and packs of other types, are theirs to write.
  const given = present(packs('dispensed')[0])
  expect((await s.owner.call('POST', `/packs/${given}/events`, { type: 'returned', units: 3 })).status).toBe(200)
  const { _id: other } = await s.owner.do('createPackType', s.trial, { name: 'Rescue' })
  const made = await s.owner.do('createPacks', s.trial, { packType: other, name: 'Z-1' })
  expect((await s.owner.call('POST', `/packs/${present(made.packs[0])._id}/events`, event)).status).toBe(200)
  // A keeper of the stock who sees arms holds it back, after a temperature alarm for example.
  const keeper = s.staff(s.trial, ['trial.writePacks'])
  await s.signIn(keeper)
  expect((await keeper.call('POST', `/packs/${one}/events`, event)).status).toBe(403)
  expect((await s.grant(keeper._id)).status).toBe(200)
  expect((await keeper.call('POST', `/packs/${one}/events`, event)).status).toBe(200)
})
