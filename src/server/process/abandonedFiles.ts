/** What backups, restores and imports of foods leave behind if they are killed: temporary files and folders, whose names tell their process. */
import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { uptime } from 'node:os'
import { dirname, join } from 'node:path'

const ownMarks = new Set<string>()

/** The mark of this process in a temporary name. @param random 12 hex characters */
export function ownMark(random: string): string {
  const mark = `${process.pid}-${random}`
  ownMarks.add(mark)
  return mark
}

const MARK = '(?<mark>(?<pid>\\d+)-[0-9a-f]{12})'
const SNAPSHOT = new RegExp(`^snapshot-${MARK}\\.part(-\\w+)?$`)
const ARCHIVE = new RegExp(`\\.${MARK}\\.part(\\.[0-9a-f]{12}\\.part)?$`)
const FOODS = new RegExp(`^foods\\.db(\\.staged)?\\.${MARK}\\.part(-\\w+)?$`)
const STAGING = new RegExp(`^(.+\\.)?restoring-${MARK}$`)

/**
 * Whether a process runs. One that was killed keeps its number until its parent asks for its end, which the first process of a
 * container may never do: it does not run.
 */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
    return !/^[ZX]/.test(stat.slice(stat.lastIndexOf(')') + 2))
  } catch {
    return true // a system that has no such files
  }
}

/**
 * Whether the name of a file has one of these forms, and the process that made it no longer runs. Another process may have its
 * number by now: after a start of the machine any, in a container often this one.
 */
function isAbandoned(path: string, name: string, ...forms: readonly RegExp[]): boolean {
  const { mark, pid } = forms.map((form) => form.exec(name)?.groups).find((each) => each !== undefined) ?? {}
  if (mark === undefined || ownMarks.has(mark)) return false
  return Number(pid) === process.pid || !isRunning(Number(pid)) || isOlderThanBoot(path)
}

function isOlderThanBoot(path: string): boolean {
  const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  return changed !== undefined && changed < Date.now() - uptime() * 1000
}

/** The names in a folder; none if there is no such folder, or this user may not look into it. */
const namesIn = (folder: string): string[] => {
  try {
    return readdirSync(folder)
  } catch {
    return []
  }
}

/** Removes what killed backups left in a folder. Returns the paths. */
export function clearAbandonedBackups(folder: string): string[] {
  const paths = namesIn(folder)
    .filter((name) => isAbandoned(join(folder, name), name, SNAPSHOT, ARCHIVE))
    .map((name) => join(folder, name))
  for (const path of paths) rmSync(path, { force: true })
  return paths
}

/** Removes what killed imports of foods left in a data directory. */
export function clearAbandonedImports(data: string): void {
  for (const name of namesIn(data))
    if (isAbandoned(join(data, name), name, FOODS)) rmSync(join(data, name), { force: true })
}

/** Whether this process made the temporary file or folder of a restore that has this name. */
export const isOwnStaging = (name: string): boolean => ownMarks.has(STAGING.exec(name)?.groups?.mark ?? '')

/** The folders that killed restores left: in a data directory, or beside it, also those of another directory there. */
export const abandonedRestores = (data: string): string[] =>
  [data, dirname(data)].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => isAbandoned(join(folder, name), name, STAGING))
      .map((name) => join(folder, name)),
  )
