/** The steps of a request, with operations of this test that are mounted together with the real ones. */
import { expect, test } from 'bun:test'
import { files, groups } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { mount } from '#http/mount'
import { operation } from '#http/operation'
import { shape } from '#wire/schema'
import { type World, world } from '../harness'
import { offerOperations } from '../offerOperations'
import { firstOf } from '../present'

/** Creates a group; then its first effect fails, and the second adds to `ran`. */
const failingAfter = (ran: string[]) =>
  operation({
    id: 'sample',
    method: 'POST',
    path: '/trials/:trialId/faulty-groups',
    summary: 'Create a group and fail afterwards',
    scope: (asked) => {
      ran.push('scope')
      return trial(asked)
    },
    needs: 'trial.admin',
    logs: 'createGroup',
    returns: shape({}),
    run: ({ db, trial, id, now, after }) => {
      const row = { _id: id(), createdAt: now, trial: trial._id, name: 'Kept' }
      db.insert(groups).values(row).run()
      after(() => {
        throw new Error('the effect failed')
      })
      after(() => ran.push('second effect'))
      return {}
    },
  })

function faulty() {
  const w = world()
  const id = w.trial()
  const ran: string[] = []
  const { handle } = mount(w.service.services, offerOperations([failingAfter(ran)]))
  const create = (headers: Record<string, string> = {}) =>
    handle(
      new Request(`http://localhost/trials/${id}/faulty-groups`, {
        method: 'POST',
        headers: { ...w.owner.credentials, ...headers },
      }),
      null,
    )
  const names = async () => {
    const { groups } = await w.owner.do('listGroups', id)
    return groups.map(({ name }) => name)
  }
  return { ...w, ran, create, names }
}

test('an effect that fails after the commit changes neither the response nor the later effects', async () => {
  const { create, names, ran, takeFaults } = faulty()
  expect((await create()).status).toBe(200)
  expect(await names()).toEqual(['Kept'])
  expect(ran).toEqual(['scope', 'second effect'])
  expect(takeFaults()).toEqual([[expect.stringContaining('/faulty-groups'), new Error('the effect failed')]])
})

test('a repeated write with an Idempotency-Key loads only its scope, and starts no effect', async () => {
  const { create, names, ran, takeFaults } = faulty()
  expect((await create({ 'Idempotency-Key': 'k' })).status).toBe(200)
  // The scope is loaded again after the write, because the write may change what the caller sees.
  expect(ran).toEqual(['scope', 'scope', 'second effect'])
  expect((await create({ 'Idempotency-Key': 'k' })).status).toBe(200)
  expect(ran).toEqual(['scope', 'scope', 'second effect', 'scope'])
  expect(takeFaults()).toHaveLength(1)
  expect(await names()).toEqual(['Kept'])
})

test('a trial is deleted although its files cannot be removed', async () => {
  const { owner, trial: make, service, db, takeFaults, team } = world()
  const id = make()
  const file = { storedName: 'a.txt', kind: 'upload', trial: id, forType: 'trial', forId: id, name: 'a.txt' } as const
  db.insert(files)
    .values({ ...file, createdAt: 1, createdBy: owner._id, type: 'text/plain', size: 3, finishedAt: 1 })
    .run()
  service.services.storage.remove = () => {
    throw new Error('the disk is gone')
  }
  expect((await owner.call('DELETE', `/trials/${id}`)).status).toBe(200)
  expect((await owner.do('listTrials', team)).trials).toEqual([])
  expect(takeFaults()).toEqual([[expect.any(String), new Error('the disk is gone')]])
})

/** Runs `meanwhile` on the main thread while a worker thread works for a request. */
function whilePreparing({ service }: Pick<World, 'service'>, meanwhile: () => Promise<unknown>) {
  const { perform } = service.services.pool
  service.services.pool.perform = async (task) => {
    const result = await perform(task)
    await meanwhile()
    return result
  }
}

const importData = {
  source: 'redcap',
  content: 'Variable / Field Name,Form Name,Field Type,Field Label\na,form,text,A',
}

test('a write is refused if any of its permissions is withdrawn during its preparation', async () => {
  const w = world()
  const { owner } = w
  const id = w.trial()
  const editor = w.staff(id, ['trial.write', 'trial.readLogs'])
  const permissions = { [id]: ['trial.write'] }
  whilePreparing(w, () => owner.do('setPermissions', id, editor._id, { permissions }))
  const create = () => editor.call('POST', `/trials/${id}/stages?creationType=importFromExternalTool`, { importData })
  const changed = 'Your permissions have changed since this was started.'
  expect(await create()).toMatchObject({ status: 403, body: { message: changed } })
  expect((await owner.do('listStages', id)).stages).toEqual([])
  expect((await owner.do('readLogs', id, { type: 'accessRefused' })).total).toBe(1)
  // From here on the permissions stay the same, though fewer than at first.
  expect((await create()).status).toBe(200)
})

test('a write is refused if its participant moves to a site with fewer permissions during its preparation', async () => {
  const w = world()
  const { owner } = w
  const id = w.trial()
  const north = await owner.do('createSite', id, { name: 'North', id: 'NO' })
  const south = await owner.do('createSite', id, { name: 'South', id: 'SO' })
  const { _id } = await owner.do('registerParticipants', id, { participantId: 'P-1' })
  await owner.do('addSiteMember', north._id, _id)
  const nurse = w.staff(id, ['site.writeParticipants', 'site.readParticipantNotes'], north._id)
  const permissions = {
    [north._id]: ['site.writeParticipants', 'site.readParticipantNotes'],
    [south._id]: ['site.writeParticipants'],
  }
  await owner.do('setPermissions', id, nurse._id, { permissions })
  const rename = (name: string) => nurse.call('PUT', `/trials/${id}/participants/${_id}`, { id: name, password: name })
  expect((await rename('P-2')).status).toBe(200)
  const { hash } = Bun.password
  Bun.password.hash = async (...given) => {
    const hashed = await hash(...given)
    await owner.do('removeSiteMember', north._id, _id)
    await owner.do('addSiteMember', south._id, _id)
    return hashed
  }
  try {
    expect((await rename('P-3')).status).toBe(403)
  } finally {
    Bun.password.hash = hash
  }
  expect((await rename('P-3')).status).toBe(200)
})

test('a refusal whose audit entry cannot be written is still a refusal, and the fault is reported', async () => {
  const { trial: make, staff, db, takeFaults } = world()
  const id = make()
  const reader = staff(id, ['trial.read'])
  db.$client.run(`CREATE TEMP TRIGGER fullDisk BEFORE INSERT ON auditEntries WHEN NEW.type = 'accessRefused'
    BEGIN SELECT RAISE(ABORT, 'the disk is full'); END`)
  const { status, body } = await reader.call('POST', `/trials/${id}/groups`, { name: 'North' })
  expect([status, body.details.needs]).toEqual([403, ['trial.admin']])
  expect(takeFaults()).toEqual([
    [expect.stringContaining('POST /trials/:trialId/groups'), expect.objectContaining({ message: 'the disk is full' })],
  ])
})

test('a refusal in the audit trail holds what was missing, and no address of the manual', async () => {
  const { owner, staff, trial } = world()
  const id = trial()
  const reader = staff(id, ['trial.read'])
  const { body } = await reader.call('POST', `/trials/${id}/groups`, { name: 'Arm A' })
  expect(body.details.manual).toBe('/manual/permissions#if-a-permission-is-missing')
  const { entries } = await owner.do('readLogs', id, { type: 'accessRefused' })
  const operation = 'POST /trials/:trialId/groups'
  const { message } = body
  expect(firstOf(entries).event).toEqual({
    ...{ trialId: id, operation, message, code: 'permission', needs: ['trial.admin'] },
  })
})
