import { existsSync } from 'node:fs'
import { checkSchema, type Db, drizzled, newestSchema, openSqlite, schemaVersion } from '#db/open'
import { fault } from '#kernel/fault'
import { baseUrl, type Config, configure } from '#server/config/settings'
import { readDataDirectory } from '#server/process/dataDirectory'
import { holderOf } from '#server/process/lock'
import type { Call } from './command'

/** Where links lead to: what was said, else the server that runs on the directory, else where one would listen. */
const linksLeadTo = (config: Config): string =>
  config.publicUrl ?? holderOf(config.data)?.address ?? baseUrl(config, config.port)

/**
 * Acts on the database of the data directory, beside a running server too.
 * @param act given the database and {base_url}
 * @throws a fault where there is none, or another version made it
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
    act(drizzled(sqlite), linksLeadTo(config))
  } finally {
    sqlite.close()
  }
}
