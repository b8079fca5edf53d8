/** The log of the service and of its teams, for the operator (docs/commands.md, "log"). */
import { teamByName } from '#accounts/teams/store'
import type { Db } from '#db/open'
import { fault } from '#kernel/fault'
import { instantText } from '#kernel/time'
import { teamEntries } from './pages'
import { newestServiceEntries } from './store'

/**
 * The newest entries as lines, oldest first: moment, type, account or `-`, address or `-`, and the event as JSON, separated by tabs.
 * @param only.team the name of a team, whose log alone is read
 * @throws a fault if no team has this name
 */
export function logLines(
  db: Db,
  only: { team?: string | undefined; type?: string | undefined; last: number; isJson: boolean },
): string[] {
  const team = only.team === undefined ? undefined : teamByName(db, only.team)?._id
  if (only.team !== undefined && team === undefined) throw fault(`There is no team "${only.team}".`)
  const rows = newestServiceEntries(db, { chain: team, type: only.type, limit: only.last }).reverse()
  const entries = teamEntries(rows)
  return entries.map((entry, at) => {
    const { chain } = rows[at]!
    const { createdAt, type, userEmail, event, client } = entry
    if (only.isJson) return JSON.stringify({ ...entry, createdAt: instantText(createdAt), chain })
    return [instantText(createdAt), type, userEmail ?? '-', client?.address ?? '-', JSON.stringify(event)].join('\t')
  })
}
