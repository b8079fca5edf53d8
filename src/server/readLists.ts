/** Starts a service on a restored directory and reads a page of everything that can be listed in it, as an account of its own. */

import { insertMember } from '#accounts/teams/store'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertUser } from '#accounts/users/store'
import { runInTransaction } from '#db/commit'
import type { Db } from '#db/open'
import { type Id, newId } from '#kernel/id'
import { type Instant, systemClock } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { firstOf, teamsIn, trialsIn } from '#server/backup/store'
import { readDataDirectory } from '#server/process/dataDirectory'
import { copyOf } from '#server/process/secretsFile'
import type { Program } from './program'
import { openService, type Service } from './service'

/** `pages`: the GET requests that were answered. `faults`: those that were not, a line each. */
export type ReadResult = { pages: number; operations: number; faults: string[] }

/** What a path may name, besides teams and trials: the first of each trial is read. */
const FIRST: Readonly<Record<string, string>> = {
  participantId: 'participants',
  stageId: 'stages',
  siteId: 'sites',
  groupId: 'groups',
  dataTypeId: 'dataTypes',
}

/** An account that administers every team and trial, with a key. */
function makeReader(db: Db, now: Instant): string {
  const user = newId(now)
  insertUser(db, { _id: user, createdAt: now, name: 'Drill', email: `${user}@drill.invalid`, passwordHash: null })
  for (const team of teamsIn(db))
    insertMember(db, { team, user, permissions: ['team.admin', 'trials.create', 'trials.manage'] })
  return insertApiKey(db, { user, name: 'Drill', now }).key
}

/** The values for the parameters of paths: of each team, and of each trial. */
function pathValues(db: Db): Record<string, Id>[] {
  const teams = teamsIn(db).map((teamId) => ({ teamId }))
  const trials = trialsIn(db).map((trialId) => {
    const named = Object.entries(FIRST).flatMap(([name, table]) => {
      const first = firstOf(db, table, trialId)
      return first === undefined ? [] : [[name, first]]
    })
    return { trialId, ...Object.fromEntries(named) }
  })
  return [{}, ...teams, ...trials]
}

const parametersOf = (path: string): string[] => Array.from(path.matchAll(/:(\w+)/g), ([, name]) => name!)

async function readAll(service: Service, key: string): Promise<ReadResult> {
  const reads = (await service.operations()).filter(({ method }) => method === 'GET')
  const headers = { Authorization: `Bearer ${key}`, Accept: 'application/json' }
  const answered = new Set<string>()
  const faults: string[] = []
  let pages = 0
  for (const place of pathValues(service.services.db))
    for (const { id, path } of reads) {
      const names = parametersOf(path)
      // What names a trial and something in it is read with the trial, and what names nothing once.
      if (names.some((name) => !(name in place)) || (!names.length && Object.keys(place).length)) continue
      const url = path.replace(/:(\w+)/g, (_, name: string) => place[name]!)
      const response = await service.handle(new Request(`http://localhost${url}`, { headers }), null)
      await response.body?.cancel()
      if (response.status >= 500) faults.push(`GET ${url} (${id}) is answered ${response.status}`)
      else if (response.ok) {
        pages++
        answered.add(id)
      }
    }
  return { pages, operations: answered.size, faults }
}

/** Starts a service on a directory that is thrown away afterwards, and reads. */
export async function readLists(program: Program, data: string): Promise<ReadResult> {
  const faults: string[] = []
  const service = openService(program, {
    directory: data,
    clock: systemClock,
    publicUrl: 'http://localhost',
    version: serviceVersion,
    storageKey: readDataDirectory(data).keysFor('storage'),
    copyOf: copyOf(data),
    hasLimits: () => false,
    fault: (reason, about) => faults.push(`${about}: ${reason instanceof Error ? reason.message : reason}`),
  })
  try {
    const { db } = service.services
    const key = runInTransaction(db, () => makeReader(db, systemClock.now()))
    const read = await readAll(service, key)
    return { ...read, faults: [...read.faults, ...faults] }
  } finally {
    await service.finish()
    service.close()
  }
}
