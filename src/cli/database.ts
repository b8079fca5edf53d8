import { existsSync } from 'node:fs'
import { type Db, drizzleOf, openSqlite } from '#db/open'
import { checkSchema, newestSchema, schemaVersion } from '#db/schemaVersion'
import { watchRows } from '#db/watch'
import { fault } from '#kernel/fault'
import { baseUrl, type Config, configure } from '#server/config/settings'
import { readDataDirectory } from '#server/process/dataDirectory'
import { holderOf } from '#server/process/lock'
import type { Call } from './command'

/** The base of links: the configured address, else that of the server which runs on the directory, else the default. */
const linkBase = (config: Config): string =>
  config.publicUrl ?? holderOf(config.data)?.address ?? baseUrl(config, config.port)

/**
 * Calls `act` with the database of the data directory; a server may be running.
 * @param act called with the database and {base_url}
 * @throws a fault if there is no database, or it is of another version
 */
export function onDatabase({ flags, env }: Call, act: (db: Db, publicUrl: string) => void): void {
  const known = Object.fromEntries(Object.entries(flags).filter(([flag]) => flag === 'data' || flag === 'public-url'))
  const config = configure(known, env)
  const { database } = readDataDirectory(config.data)
  if (!existsSync(database)) throw fault(`There is no database ${database} yet: start \`trialbox serve\` once.`)
  const sqlite = openSqlite(database)
  try {
    checkSchema(sqlite)
    const version = schemaVersion(sqlite)
    if (version !== newestSchema) {
      throw fault(
        `This data directory was written by schema version ${version}; this program writes ${newestSchema}. Start \`trialbox serve\` with this program once, which upgrades it, or use the version of Trialbox that wrote it.`,
      )
    }
    const db = drizzleOf(sqlite)
    watchRows(db)
    act(db, linkBase(config))
  } finally {
    sqlite.close()
  }
}
