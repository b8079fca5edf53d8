/**
 * Searches and lists of the trial master file over HTTP: `fileSearch.ts <files> [times]`. Each file has a version with a text of 20 KB,
 * whose words are as unevenly spread as those of a language. Prints the median and the 99th percentile of each request in milliseconds.
 */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { insertApiKey } from '#accounts/users/apiKeys'
import { insertOwner } from '#accounts/users/owner'
import { runInTransaction } from '#db/commit'
import { insert } from '#db/rows'
import { permissions, sites, trials, users } from '#db/tables/index'
import { newId } from '#kernel/id'
import { randomFrom } from '#kernel/random'
import { systemClock } from '#kernel/time'
import { insertFile, insertVersion } from '#office/files/store'
import { repairWords } from '#office/files/words/maintenance'
import { indexVersion, insertText, updateText, waitingVersions } from '#office/files/words/store'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openService } from '#server/service'
import { program } from '#start/program'
import { percentile } from './figures'
import { freshFolder, root } from './run'
import { startServer } from './servers'

const [files, times] = [Number(process.argv[2] ?? 10_000), Number(process.argv[3] ?? 50)]
const [LENGTH, SITES, VOCABULARY] = [20_000, 20, 60_000]
const { unit: random, whole, pick } = randomFrom(7)
const syllables = 'ba con tri stu dy pro to col me di ca ti on ver sa lo mi re pa en ter sub ject'.split(' ')
const vocabulary = Array.from({ length: VOCABULARY }, () =>
  Array.from({ length: whole(1, 4) }, () => pick(syllables)).join(''),
)
const word = () => vocabulary[Math.floor(VOCABULARY ** random()) - 1]!

function textOf(number: number): string {
  let text = `document${number}q`
  while (text.length < LENGTH) text += ` ${word()}`
  return text
}

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
runInTransaction(db, () => repairWords(db)) // as the first start does
const made = { email: 'o@example.org', name: 'Olga', team: 'Research', passwordHash: null, now }
const { team, user } = runInTransaction(db, () => insertOwner(db, made))
const trial = newId(now)
const keys = runInTransaction(db, () => {
  insert(db, trials, { _id: trial, createdAt: now, team, name: 'Trial', code: 'bench' })
  const all = Array.from({ length: SITES }, (_, at) => {
    const _id = newId(now)
    insert(db, sites, { _id, createdAt: now, trial, name: `Site ${at}`, id: `S${at}` })
    return _id
  })
  const reader = newId(now)
  insert(db, users, { _id: reader, createdAt: now, name: 'Rita', email: 'r@example.org' })
  insert(db, permissions, { user: reader, trial, scope: all[0]!, keys: ['site.readFiles'] })
  const by = { createdAt: now, trial }
  for (let n = 0; n < files; n++) {
    const { _id } = insertFile(db, {
      ...{ _id: newId(now), ...by, createdBy: user, updatedAt: now, description: null, assignees: [] },
      ...{
        site: all[n % SITES]!,
        name: `${word()} ${word()} ${n}`,
        type: n % 10 ? 'other' : 'cv',
        tags: [`tag${n % 50}`],
      },
    })
    insertVersion(db, {
      ...{
        _id: newId(now),
        ...by,
        file: _id,
        number: 1,
        name: 'Version',
        storedName: `bench-${n}`,
        originalName: 'a.pdf',
      },
      ...{ mimeType: 'application/pdf', size: 1, sha256: `${n}`.padStart(64, '0'), expiresAt: null, uploader: user },
      ...{ uploaderName: 'Olga', status: n % 2 ? 'approved' : 'draft', statusAt: now, statusBy: user },
    })
  }
  const keyOf = (user: string) => insertApiKey(db, { user, name: 'bench', now }).key
  return { all: keyOf(user), 'one site': keyOf(reader) }
})
let put = 0
const taken: number[] = []
for (let rows = waitingVersions(db, now, 50); rows.length; rows = waitingVersions(db, now, 50))
  for (const row of rows) {
    const text = textOf(put++)
    const begin = performance.now()
    runInTransaction(db, () => {
      updateText(db, row.version, { state: 'read', text: insertText(db, text, false), dueAt: null })
      indexVersion(db, row, text)
    })
    taken.push(performance.now() - begin)
  }
const { mb } = db.$client
  .query<{ mb: number }, []>(`SELECT (SELECT sum(length(block)) FROM masterFileTextWords_data) / 1e6 AS mb`)
  .get()!
service.close()
lock.release()
const figures = (all: number[]) =>
  [percentile(all, 0.5), percentile(all, 0.99)].map((each) => each.toFixed(1)).join(' / ')
console.log(`${files} files; index ${mb.toFixed(0)} MB; to put one text into it ${figures(taken)} ms (median / 99 %)`)

const [often, rare] = [vocabulary[0]!, `document${files - 1}q`]
const server = await startServer([
  process.execPath,
  join(root, 'src/start/main.ts'),
  'serve',
  '--tls',
  'off',
  '--port',
  '0',
  '--data',
  directory.root,
])
const requests = {
  'list, 50 files': 'perPage=50',
  'list by tag': 'tag=tag7&perPage=50',
  'list by type': 'type=cv&perPage=50',
  'list by a part of the name': 'term=9&perPage=50',
  'a rare word': `search=${rare}`,
  'a word of every file': `search=${often}`,
  'two such words': `search=${often} ${vocabulary[1]}`,
  'a phrase of them': `search="${often} ${vocabulary[1]}"`,
  'the beginning of many words': 'search=con',
  'a longer beginning': 'search=cont',
  'three beginnings': 'search=con stu pro',
  'a word and a type': `search=${often}&type=cv`,
  'a word and a tag': `search=${often}&tag=tag7`,
  'no such word': 'search=absent',
  'page 100 of a word of every file': `search=${often}&page=${Math.max(1, Math.floor(files / 100))}`,
}
try {
  for (const [who, key] of Object.entries(keys))
    for (const [name, query] of Object.entries(requests)) {
      const all: number[] = []
      let found = 0
      for (let n = 0; n < times + 5; n++) {
        const begin = performance.now()
        const answer = await fetch(`${server.url}/trials/${trial}/files?${encodeURI(query)}`, {
          headers: { Authorization: `Bearer ${key}` },
        })
        const { files: page } = (await answer.json()) as { files: unknown[] }
        if (n >= 5) all.push(performance.now() - begin)
        found = page.length
      }
      console.log(`${who.padEnd(9)} ${name.padEnd(34)} ${`${found}`.padStart(3)} files  ${figures(all)} ms`)
    }
} finally {
  await server.stop()
  rmSync(folder, { recursive: true, force: true })
}
