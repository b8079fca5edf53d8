import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { eq } from 'drizzle-orm'
import { deletedChains, participantGroups, participantSites, responses, stages, submissions } from '#db/tables/index'
import { uncascadedTableNames } from '#design/trials/deletionStore'
import { newId } from '#kernel/id'
import { DAY } from '#kernel/time'
import { respond } from '../../conduct/responses/answers'
import { world } from '../../harness'
import { until } from '../../until'
import { at, enrol, entries, place, upload } from './trials.study'

test('of a trial that was deleted and purged, two entries in the team’s log are left', async () => {
  const w = world()
  const kept = w.trial({ name: 'Kept' })
  const id = w.trial({ name: 'Gone', code: 'gone' })
  for (const trial of [kept, id]) {
    const { site, group } = place(w, trial)
    const participant = enrol(w, trial)
    w.db.insert(participantSites).values({ participant, site }).run()
    w.db.insert(participantGroups).values({ participant, group }).run()
    const stage = newId(at)
    w.db.insert(stages).values({ _id: stage, createdAt: at, trial, index: 0, name: 'Visit' }).run()
    w.db.$client.run(
      `INSERT INTO layouts (_id, trial, stage, dataTypes) VALUES ('${trial}', '${trial}', '${stage}', '[]')`,
    )
    for (const who of [participant, null])
      respond(w, { trial, stage, stageRecurrence: 0, participant: who, layout: trial, values: '[]' })
    w.db.$client.run(
      `INSERT INTO outbox (_id, createdAt, trial, channel, recipient, body, status) VALUES ('${newId(at)}', 1, '${trial}', 'email', 'a', 'b', 'notSent')`,
    )
    w.db.$client.run(
      `INSERT INTO jobs (_id, createdAt, kind, user, trial, input, status, progress) VALUES ('${newId(at)}', 1, 'x', 'u', '${trial}', '{}', 'done', '')`,
    )
  }
  const file = upload(w, id, 'trial', id)
  const other = upload(w, kept, 'trial', kept)
  await w.owner.do('updateTrial', id, { sponsor: 'Somebody' })
  w.db.$client.run('UPDATE files SET isUsed = 1')
  const [last] = entries(w, id).slice(-1)
  const admin = w.staff(id, ['trial.admin'])

  expect(await admin.do('deleteTrial', id)).toEqual({})
  expect((await admin.call('GET', `/trials/${id}`)).status).toBe(404)
  expect(w.db.$client.query('SELECT participantCount FROM teams').get()).toEqual({ participantCount: 1 })
  w.clock(30 * DAY)
  await w.service.services.tick()
  const sqlite = w.db.$client
  const withTrial = sqlite
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c WHERE m.type = 'table' AND c.name = 'trial'`,
    )
    .all()
  expect(withTrial.length).toBeGreaterThan(10)
  for (const { name } of withTrial) {
    const count = sqlite.query<{ n: number }, [string]>(`SELECT count(*) AS n FROM "${name}" WHERE trial = ?`)
    expect([name, count.get(id)!.n]).toEqual([name, 0])
  }
  expect(entries(w, id)).toEqual([])
  expect(w.db.select().from(deletedChains).all()).toMatchObject([{ chain: id, number: last!.number, hash: last!.hash }])
  expect(entries(w, w.team)).toMatchObject([
    {
      type: 'deleteTrial',
      userEmail: admin.email,
      event: {
        trialId: id,
        name: 'Gone',
        code: 'gone',
        participantCount: 1,
        responseCount: 2,
        files: 1,
        auditEntries: last!.number,
        auditHash: last!.hash,
      },
    },
    { type: 'purgeDeletion', userType: 'system', event: { trialId: id, record: null } },
  ])
  await until(() => !existsSync(file.path)) // removed after the answer
  expect([existsSync(file.path), existsSync(other.path)]).toEqual([false, true])
  for (const table of [submissions, responses]) {
    expect(w.db.select().from(table).where(eq(table.trial, kept)).all()).toHaveLength(2)
    expect(w.db.select().from(table).all()).toHaveLength(2)
  }
  expect(sqlite.query('SELECT participantCount FROM teams').get()).toEqual({ participantCount: 1 })
})

test('rows of every table that names a trial are deleted with it', () => {
  const { db } = world()
  const strays = db.$client
    .query<{ name: string }, []>(
      `SELECT m.name FROM sqlite_master m JOIN pragma_table_info(m.name) c
       WHERE m.type = 'table' AND c.name = 'trial' AND NOT EXISTS (
         SELECT 1 FROM pragma_foreign_key_list(m.name) f WHERE f."table" IN ('trials', 'participants') AND f.on_delete = 'CASCADE')`,
    )
    .all()
  expect(strays.map(({ name }) => name).sort()).toEqual([...uncascadedTableNames].sort())
})

test.each([{ isLocked: true }, { isDatabaseLocked: true }])('a trial with %j is not deleted', async (lock) => {
  const w = world()
  const id = w.trial(lock)
  expect((await w.owner.call('DELETE', `/trials/${id}`)).status).toBe(403)
  await w.owner.do('readTrial', id)
})
