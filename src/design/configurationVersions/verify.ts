/** Whether configuration versions are as they were taken (docs/review.md, "Configuration versions"). */
import { unknownVersion } from '#audit/digest'
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import { hashOf } from './canonical'
import { storedVersions, takingEntries } from './verifyStore'

type Said = { number?: number; configurationVersion?: number; hash?: string; unchanged?: true }

/**
 * Holds every version against its own hash and the entry that it was taken with.
 * @throws a fault that names the first that does not fit
 */
export function verifyVersions(sqlite: Sqlite): string {
  const taken = new Map<string, string>()
  for (const { chain, event } of takingEntries(sqlite)) {
    const said = JSON.parse(event) as Said
    if (!said.unchanged) taken.set(`${chain} ${said.number ?? said.configurationVersion}`, said.hash!)
  }
  const count = taken.size
  for (const row of storedVersions(sqlite)) {
    const what = `configuration version ${row.number} of trial ${row.trial}`
    const unknown = unknownVersion(row.hash, 1)
    if (unknown) throw fault(`${what} ${unknown}`)
    if (hashOf(JSON.parse(row.snapshot)) !== row.hash) throw fault(`${what} is not what was taken`)
    const key = `${row.trial} ${row.number}`
    if (taken.get(key) !== row.hash) throw fault(`${what} is not the one that the audit trail tells of`)
    taken.delete(key)
  }
  const [lost] = taken.keys()
  if (lost) throw fault(`configuration version ${lost.split(' ')[1]} of trial ${lost.split(' ')[0]} is missing`)
  return `${count} configuration versions are as they were taken`
}
