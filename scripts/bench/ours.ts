/** The service as it is, on a fresh data directory with a trial of 10,000 participants and the W20 stage. Prints where it is. */
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dataTypes as dataTypeTable, participants, stages, trials } from '../../src/db/tables'
import { makeKey } from '../../src/features/users/keys'
import { makeOwner } from '../../src/features/users/owner'
import { newId } from '../../src/kernel/id'
import { systemClock } from '../../src/kernel/time'
import { openService } from '../../src/server'
import { components, dataTypes } from './work'

const directory = mkdtempSync(join(tmpdir(), 'trialbox-bench-'))
const service = openService({
  directory,
  storageKey: 'sixteen or more bytes',
  clock: systemClock,
  publicUrl: 'http://localhost',
  version: '0.0.0+bench',
})
const { db } = service.house
const now = systemClock.now()

const seeded = db.transaction(() => {
  const { team, user } = makeOwner(db, {
    email: 'owner@example.org',
    name: 'Owner',
    team: 'Team',
    passwordHash: null,
    now,
  })
  const trial = newId(now)
  db.insert(trials).values({ _id: trial, createdAt: now, team, name: 'Trial', code: 'bench' }).run()
  const ids = dataTypes.map(({ name, format, ...settings }) => {
    const _id = newId(now)
    const code = name.replaceAll(' ', '_')
    db.insert(dataTypeTable).values({ _id, createdAt: now, trial, name, code, format, settings }).run()
    return _id
  })
  const stage = newId(now)
  db.insert(stages)
    .values({ _id: stage, createdAt: now, trial, index: 0, name: 'Diary', components: components(ids) })
    .run()
  const people = Array.from({ length: 10_000 }, (_, at) => {
    const _id = newId(now)
    db.insert(participants)
      .values({ _id, createdAt: now, trial, id: `P-${at}`, idSort: `p-${at}` })
      .run()
    return _id
  })
  return { key: makeKey(db, { user, name: 'bench', now }).key, trial, ids, stage, people }
})
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: (request) => service.handle(request, '127.0.0.1') })
console.log(JSON.stringify({ port: server.port, directory, ...seeded }))
