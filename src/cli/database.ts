import { type Db, drizzleOf, openSqlite } from '#db/open'
import { checkSchema, newestSchema, schemaVersion } from '#db/schemaVersion'
import { watchRows } from '#db/watch'
import { fault } from '#kernel/fault'
import { instantText, systemClock } from '#kernel/time'
import { baseUrl, type Config, configure } from '#server/config/settings'
import { clockProblem } from '#server/health/clock'
import { clockAtStart } from '#server/health/clockFile'
import { newestEntryAt } from '#server/health/store'
import { readDataDirectory, requireUsed } from '#server/process/dataDirectory'
import { holderOf } from '#server/process/lock'
import { steadyTime } from '#server/process/uptime'
import type { Call } from './command'

/** The base of links: the configured address, else that of the server which runs on the directory, else the default. */
const linkBase = (config: Config): string =>
  config.publicUrl ?? holderOf(config.data)?.address ?? baseUrl(config, config.port)

/**
 * Calls `act` with the database of the data directory; a server may be running.
 * @param act called with the database and {base_url}
 * @throws a fault if the clock is behind what was written last or has jumped, and the command writes, if there is no database, or it is of another version
 */
export function onDatabase(
  { flags, env }: Call,
  act: (db: Db, publicUrl: string) => void,
  { isWriting = true }: { isWriting?: boolean } = {},
): void {
  const known = Object.fromEntries(Object.entries(flags).filter(([flag]) => flag === 'data' || flag === 'public-url'))
  const config = configure(known, env)
  const { database } = readDataDirectory(config.data)
  requireUsed(config.data)
  const sqlite = openSqlite(database)
  try {
    checkSchema(sqlite)
    const version = schemaVersion(sqlite)
    if (version !== newestSchema) {
      throw fault(
        `This data directory was written by schema version ${version}; this program writes ${newestSchema}. Start \`trialbox serve\` with this program once, which upgrades it, or use the version of Trialbox that wrote it.`,
      )
    }
    // A command that only reads may run with any clock; one that writes would write a wrong time.
    const problem = isWriting && clockProblem(systemClock.now(), newestEntryAt(sqlite))
    if (problem) throw fault(`${problem.text} Put the clock right first.`)
    if (isWriting && clockAtStart(config.data, systemClock, steadyTime(), null).status().isFollowed === false)
      throw fault(
        `The clock of this machine jumped to ${instantText(systemClock.now())}. Put it right first; if it is right, run: trialbox clock accept.`,
      )
    const db = drizzleOf(sqlite)
    watchRows(db)
    act(db, linkBase(config))
  } finally {
    sqlite.close()
  }
}
