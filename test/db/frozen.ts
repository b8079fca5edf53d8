/**
 * A small study in a data directory, and its exports. The repository has one of each released version of the schema, so that
 * tests show that every later program can open it. `bun scripts/freeze.ts` adds the current one.
 */
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { keys } from '#access/keys'
import { packAccess } from '#access/packedAccess'
import { nextMidnight, runStudy } from '#cli/walkthrough/study'
import { type Db, drizzleOf, openSqlite } from '#db/open'
import { rowsFrom } from '#db/rows'
import { newestSchema } from '#db/schemaVersion'
import { trials } from '#db/tables/index'
import { writeExport } from '#exchange/exports/work/write'
import { systemClock } from '#kernel/time'
import { makeBackup } from '#server/backup/make'
import { listen } from '#server/listen'
import { openDataDirectory } from '#server/process/dataDirectory'
import { openService } from '#server/service'
import { testClock } from '#server/testing/clock'
import { makeTestOwner } from '#server/testing/world'
import { program } from '#start/program'

const FOLDER = join(import.meta.dir, '../fixtures/databases')
const SIZE = { participants: 6, weeks: 2, seed: 1 }

/** The versions in the repository, oldest first. */
export const frozenVersions = (): number[] =>
  (existsSync(FOLDER) ? readdirSync(FOLDER) : [])
    .flatMap((name) => /^(\d+)\.tar\.zst$/.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)

const pathsOf = (version: number) => ({
  archive: join(FOLDER, `${version}.tar.zst`),
  exported: join(FOLDER, `${version}.export.zst`),
  everything: join(FOLDER, `${version}.everything.zst`),
  everythingExported: join(FOLDER, `${version}.everything.export.zst`),
})

const read = (path: string): Buffer => Bun.zstdDecompressSync(readFileSync(path))
const write = (path: string, content: string | Uint8Array): number => {
  const small = Bun.zstdCompressSync(content, { level: 19 })
  writeFileSync(path, small)
  return small.length
}

/** The backup of a version, and the exports that its study had then. */
export function frozen(version: number): { archive: Buffer; exported: string } {
  const paths = pathsOf(version)
  return { archive: read(paths.archive), exported: read(paths.exported).toString() }
}

/** The database with one of everything of a version, and its exports; undefined for versions that have none. */
export function frozenEverything(version: number): { database: Buffer; exported: string } | undefined {
  const { everything, everythingExported } = pathsOf(version)
  if (!existsSync(everything)) return undefined
  return { database: read(everything), exported: read(everythingExported).toString() }
}

/** Runs a whole study into a new data directory. Its last day is some days from now. */
export async function makeStudy(root: string): Promise<void> {
  const { directory, lock } = openDataDirectory(root)
  const clock = testClock(systemClock)
  const storageKey = directory.keysFor('storage')
  const service = openService(program, { directory: root, clock, publicUrl: '', version: '0.0.0+test', storageKey })
  const { port, stop } = listen(service, { host: '127.0.0.1', port: 0 })
  try {
    const url = `http://127.0.0.1:${port}`
    service.services.publicUrl = url
    const owner = await makeTestOwner(service.services)
    const moveTo = (at: number) => {
      clock.set(at)
      return service.services.tick()
    }
    await runStudy({ url, ...owner, start: nextMidnight(clock.now()), moveTo }, SIZE, () => {})
  } finally {
    await stop()
    await service.finish()
    service.close()
    lock.release()
  }
}

/** All exports of all trials, as text that is equal for equal data. */
export async function exportedFrom(db: Db, folder: string): Promise<string> {
  const access = packAccess({ trial: new Set(keys), places: new Map() })
  let all = ''
  for (const { _id, code } of rowsFrom(db, trials, 'ORDER BY _id')) {
    for (const format of ['raw', 'csv'] as const) {
      const path = join(folder, `${_id}.${format}`)
      await writeExport(db, { format, trial: _id, stage: null, needs: [], access, file: path }, path)
      all += `${code} ${format}\n${readFileSync(path, 'utf8')}\n`
      rmSync(path)
    }
  }
  return all
}

/**
 * Creates the study in a folder, and stores it as this program's version of the schema.
 * @param everything the path of a database with one of everything, which is stored too
 */
export async function freeze(folder: string, everything: string): Promise<{ version: number; bytes: number }> {
  const root = join(folder, 'data')
  await makeStudy(root)
  const { directory, lock } = openDataDirectory(root)
  lock.release()
  const archive = join(folder, 'backup.tar')
  await makeBackup(directory, archive, systemClock.now())
  const exportsOf = async (database: string) => {
    const sqlite = openSqlite(database)
    const exported = await exportedFrom(drizzleOf(sqlite), folder)
    sqlite.close()
    return exported
  }
  const paths = pathsOf(newestSchema)
  const sizes = [
    write(paths.archive, readFileSync(archive)),
    write(paths.exported, await exportsOf(directory.database)),
    write(paths.everything, readFileSync(everything)),
    write(paths.everythingExported, await exportsOf(everything)),
  ]
  return { version: newestSchema, bytes: sizes.reduce((sum, each) => sum + each) }
}
