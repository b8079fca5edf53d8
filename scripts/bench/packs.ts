/**
 * Packs over HTTP: `packs.ts <packs> [times]`. Imports that many packs into a trial with 20 sites while another client sends one
 * request after the other, and then searches them. Before that it imports as many into another trial without other requests, and
 * after it a csv of 15 MB into a third one; at the end it deletes the first. Prints how long requests took, and the CPU time of the server.
 */
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { runInTransaction } from '#db/commit'
import { insert } from '#db/rows'
import { packTypes, permissions, sites, trials, users } from '#db/tables/index'
import { newId } from '#kernel/id'
import { systemClock } from '#kernel/time'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openService } from '#server/service'
import { program } from '#start/program'
import { percentile } from './figures'
import { freshFolder, removeEverything, root } from './run'
import { startServer } from './servers'

const [count, times] = [Number(process.argv[2] ?? 50_000), Number(process.argv[3] ?? 200)]
const SITES = 20

const folder = freshFolder()
mkdirSync(folder, { recursive: true })
const { directory, lock, markUsed } = openDataDirectory(join(folder, 'data'))
const service = openService(program, {
  ...{
    directory: directory.root,
    storageKey: directory.keysFor('storage'),
    clock: systemClock,
    version: '0.0.0+bench',
  },
  publicUrl: 'http://localhost',
})
markUsed()
const { db } = service.services
const now = systemClock.now()
const made = { email: 'o@example.org', name: 'Olga', team: 'Research', passwordHash: null, now }
const { team, user } = runInTransaction(db, () => insertOwner(db, made))
/** A trial with one pack type and 20 sites. */
function makeTrial(code: string) {
  const [trial, packType] = [newId(now), newId(now)]
  insert(db, trials, { _id: trial, createdAt: now, team, name: 'Trial', code })
  const extendedFields = ['a', 'b'].map((key) => ({ key, label: key, type: 'text' as const }))
  const type = { _id: packType, createdAt: now, createdBy: user, trial, name: 'Kit' }
  insert(db, packTypes, { ...type, standardFields: ['name', 'batchNumber'], extendedFields })
  const all = Array.from({ length: SITES }, (_, at) => newId(now + at))
  for (const [at, _id] of all.entries())
    insert(db, sites, { _id, createdAt: now, trial, name: `Site ${at}`, id: `S${at}` })
  return { trial, packType, site: all[0]! }
}
const [alone, beside, large] = runInTransaction(
  db,
  () => [makeTrial('alone'), makeTrial('beside'), makeTrial('large')] as const,
)
const keys = runInTransaction(db, () => {
  const reader = newId(now)
  insert(db, users, { _id: reader, createdAt: now, name: 'Rita', email: 'r@example.org' })
  insert(db, permissions, { user: reader, trial: beside.trial, scope: beside.site, keys: ['site.listPacks'] })
  const keyOf = (user: string) => insertApiKey(db, { user, name: 'bench', now }).key
  return { all: keyOf(user), 'one site': keyOf(reader) }
})
service.close()
lock.release()

/** The serial number of a pack: all of them differ, and follow no order. */
const serial = (n: number) => `${(n * 7_919) % 1_000_003}`.padStart(7, '0')
const content = (columns: string, more: (n: number) => string) => {
  const rows = Array.from(
    { length: count },
    (_, n) => `Kit ${serial(n)},LOT-${2026 + (n % 3)}-${n % 40},S${n % SITES},2027-0${1 + (n % 9)}-15${more(n)}`,
  )
  return `name,batchNumber,site,expiryDate${columns}\n${rows.join('\n')}\n`
}
const plain = content('', () => '')
const wide = content(',a,b', (n) => `,${'storage '.repeat(14)}${n},${'transport '.repeat(13)}${n}`)
const rare = serial(count - 1)

const command = [process.execPath, join(root, 'src/start/main.ts'), 'serve', '--tls', 'off', '--port', '0']
const server = await startServer([...command, '--data', directory.root])
const headers = (key: string) => ({ Authorization: `Bearer ${key}` })
const get = async (path: string, key = keys.all) =>
  (await fetch(`${server.url}/trials/${beside.trial}${path}`, { headers: headers(key) })).json()

/** CPU time of the server until now, in seconds, of all its threads. */
function cpu(): number {
  const fields = readFileSync(`/proc/${server.pid}/stat`, 'utf8').split(') ')[1]!.split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}

const milliseconds = (all: number[]) =>
  [percentile(all, 0.5), percentile(all, 0.99), Math.max(...all)].map((each) => each.toFixed(1)).join(' / ')

/** How long each of the requests took that were sent one after the other until the promise was fulfilled. */
async function waits(path: string, until: Promise<unknown>): Promise<number[]> {
  let isOver = false
  void until.finally(() => (isOver = true))
  const all: number[] = []
  while (!isOver) {
    const begin = performance.now()
    await get(path)
    all.push(performance.now() - begin)
    await Bun.sleep(1)
  }
  return all
}

/** Imports a csv, perhaps while another client sends requests, and prints what it took. */
async function measureImport({ trial, packType }: typeof alone, csv: string, about: string, hasRequests: boolean) {
  const body = JSON.stringify({ packType, content: csv })
  const [before, begin] = [cpu(), performance.now()]
  const ended = fetch(`${server.url}/trials/${trial}/packs/import`, {
    method: 'POST',
    headers: { ...headers(keys.all), 'Content-Type': 'application/json', 'Idempotency-Key': about },
    body,
  })
  const all = hasRequests ? await waits('', ended) : []
  const answer = await ended
  if (!answer.ok) throw new Error(await answer.text())
  const took = ((performance.now() - begin) / 1000).toFixed(1)
  console.log(
    `import of ${count} packs, ${about}: ${took} s, CPU ${(cpu() - before).toFixed(2)} s, ${all.length} requests`,
  )
  if (!all.length) return
  const longest = all.toSorted((a, b) => b - a).slice(0, 8)
  console.log(`  requests beside it: ${milliseconds(all)} ms (median / 99 % / longest)`)
  console.log(`  the longest: ${longest.map((each) => each.toFixed(0)).join(', ')} ms`)
}

try {
  for (let n = 0; n < 200; n++) await get('')
  await measureImport(alone, plain, 'alone', false)
  await measureImport(beside, plain, 'beside other requests', true)
  await measureImport(large, wide, `${(wide.length / 1e6).toFixed(0)} MB beside other requests`, true)
  await Bun.sleep(3000)
  const requests = {
    'first page': 'perPage=20',
    'a rare term': `term=${rare}`,
    'a rare term, expiring': `term=${rare}&expiringBefore=2028-01-01`,
    'a term of some': `term=${rare.slice(0, 5)}`,
    'a term of all': 'term=kit&perPage=20',
    'a term of a fortieth': 'term=-2026-17&perPage=20',
    'no such term': 'term=absent',
    'digits of many, in no order': 'term=kit 00000000',
    'two characters': 'term=99&perPage=20',
  }
  for (const [who, key] of Object.entries(keys))
    for (const [name, query] of Object.entries(requests)) {
      const taken: number[] = []
      let found = 0
      for (let n = 0; n < times + 20; n++) {
        const begin = performance.now()
        const { packs } = (await get(`/packs?${encodeURI(query)}`, key)) as { packs: unknown[] }
        if (n >= 20) taken.push(performance.now() - begin)
        found = packs.length
      }
      console.log(`${who.padEnd(9)} ${name.padEnd(28)} ${`${found}`.padStart(4)} packs  ${milliseconds(taken)} ms`)
    }
  const begin = performance.now()
  const deleted = fetch(`${server.url}/trials/${alone.trial}`, { method: 'DELETE', headers: headers(keys.all) })
  const all = await waits('', deleted)
  const took = `${(performance.now() - begin).toFixed(0)} ms (${(await deleted).status})`
  // The index then takes the trigrams of the deleted packs out of its pages, in the background.
  const later = await waits('', Bun.sleep(5000))
  console.log(`deletion of a trial of ${count} packs: ${took}; requests beside it ${milliseconds(all)} ms`)
  console.log(`  requests in the 5 s after it: ${milliseconds(later)} ms`)
} finally {
  await server.stop()
  removeEverything()
}
