/** What backups and restores leave behind if they are killed: temporary files and folders, whose names tell their process. */
import { existsSync, readdirSync, rmSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

/** The mark of this process in a temporary name. @param random 12 hex characters */
export const ownMark = (random: string): string => `${process.pid}-${random}`

const MARK = '(?<pid>\\d+)-[0-9a-f]{12}'
const SNAPSHOT = new RegExp(`^snapshot-${MARK}\\.part(-\\w+)?$`)
const ARCHIVE = new RegExp(`\\.${MARK}\\.part(\\.[0-9a-f]{12}\\.part)?$`)
const STAGING = new RegExp(`^restoring-${MARK}$`)

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Whether a name has one of these forms, and the process that made it no longer runs. */
function isAbandoned(name: string, ...forms: readonly RegExp[]): boolean {
  const pid = forms.map((form) => form.exec(name)?.groups?.pid).find((each) => each !== undefined)
  return pid !== undefined && !isRunning(Number(pid))
}

const namesIn = (folder: string): string[] => (existsSync(folder) ? readdirSync(folder) : [])

/** Removes what killed backups left in a folder. Returns the paths. */
export function clearAbandonedBackups(folder: string): string[] {
  const paths = namesIn(folder)
    .filter((name) => isAbandoned(name, SNAPSHOT, ARCHIVE))
    .map((name) => join(folder, name))
  for (const path of paths) rmSync(path, { force: true })
  return paths
}

/** The folders that killed restores into a data directory left: in it, or beside it. */
export function abandonedRestores(data: string): string[] {
  const prefix = `${basename(data)}.`
  const beside = namesIn(dirname(data)).filter(
    (name) => name.startsWith(prefix) && isAbandoned(name.slice(prefix.length), STAGING),
  )
  const inside = namesIn(data).filter((name) => isAbandoned(name, STAGING))
  return [...inside.map((name) => join(data, name)), ...beside.map((name) => join(dirname(data), name))]
}

/** Removes the folders that killed restores left in a data directory that is complete, or beside it. Returns the paths. */
export function clearAbandonedRestores(data: string): string[] {
  const paths = abandonedRestores(data)
  for (const path of paths) rmSync(path, { recursive: true, force: true })
  return paths
}
