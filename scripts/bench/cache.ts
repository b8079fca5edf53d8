/**
 * Data directories that take long to make are kept between runs, in `$XDG_CACHE_HOME/trialbox-bench` (else `~/.cache`). One is
 * made anew when the schema or the scripts that make it change. The others of its name are removed when nobody used them for a day:
 * two working copies with different schemas do not remove each other's.
 */
import { Database } from 'bun:sqlite'
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '#db/open'
import { sha256 } from '#kernel/id'
import { copyOf, removeFolder, runToEnd, scriptPath } from './run'

const DAY_MS = 24 * 60 * 60 * 1000
const cache = join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'trialbox-bench')

/** Changes when the schema or a script that the maker uses does. */
function versionOf(script: string): string {
  const sqlite = new Database(':memory:', { strict: true })
  migrate(sqlite)
  const schema = sqlite.query<{ sql: string }, []>('SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL').all()
  sqlite.close()
  const sources = new Set([script, 'seed.ts', 'work.ts'])
  const texts = [...sources].map((name) => readFileSync(scriptPath(name), 'utf8'))
  return sha256(JSON.stringify([schema, texts])).slice(0, 12)
}

const bytesIn = (folder: string): number =>
  readdirSync(folder, { recursive: true, withFileTypes: true }).reduce(
    (sum, entry) => sum + (entry.isFile() ? statSync(join(entry.parentPath, entry.name)).size : 0),
    0,
  )

/** Removes the kept folders of that name that were not used for a day. */
function removeUnused(name: string): void {
  const isOfName = (other: string) =>
    other.startsWith(`${name}-`) && /^[0-9a-f]{12}$/.test(other.slice(name.length + 1))
  for (const other of readdirSync(cache).filter(isOfName)) {
    const path = join(cache, other)
    if (statSync(path).mtimeMs < Date.now() - DAY_MS) rmSync(path, { recursive: true })
  }
}

/** The folder of that name, which the script makes if it is not kept yet. It must not be changed. */
export async function cachedFolder(name: string, script: string, words: readonly (string | number)[]): Promise<string> {
  const folder = join(cache, `${name}-${versionOf(script)}`)
  if (existsSync(folder)) {
    utimesSync(folder, new Date(), new Date())
    return folder
  }
  mkdirSync(cache, { recursive: true })
  removeUnused(name)
  const unfinished = `${folder}.${process.pid}.unfinished`
  const began = performance.now()
  console.error(`        makes ${name}, which is kept in ${cache}`)
  try {
    await runToEnd(script, [unfinished, ...words.map(String)])
    renameSync(unfinished, folder)
  } finally {
    rmSync(unfinished, { recursive: true, force: true })
  }
  const seconds = ((performance.now() - began) / 1000).toFixed(0)
  console.error(`        made in ${seconds} s: ${(bytesIn(folder) / 1024 ** 2).toFixed(0)} MB`)
  return folder
}

/** A copy of a kept data directory, and what is in it. The copy is removed by `remove`. */
export type Copy<T> = { folder: string; data: string; database: string; made: T; remove(): void }

/** Copies a kept folder, so that it may be changed. The copy is on the disk before a server uses it: its commits would wait for gigabytes. */
export function copyCached<T>(from: string): Copy<T> {
  const folder = copyOf(from)
  Bun.spawnSync(['sync'])
  const data = join(folder, 'data')
  const made = JSON.parse(readFileSync(join(folder, 'made.json'), 'utf8')) as T
  return { folder, data, database: join(data, 'trialbox.db'), made, remove: () => removeFolder(folder) }
}
