/** Checks that configuration versions are as they were taken (docs/review.md, "Configuration versions"). */
import { unknownVersion } from '#audit/digest'
import { drizzleOf, type Sqlite } from '#db/open'
import { purgedTrials } from '#design/deletions/store'
import { fault } from '#kernel/fault'
import { hashOf } from './hash'
import { snapshotEntries, storedVersions } from './verifyStore'

type EventContent = { number?: number; configurationVersion?: number; hash?: string; unchanged?: true }

/**
 * Compares every version with its own hash and with the audit entry of its snapshot. Returns how many there are, in words.
 * @throws a fault that names the first version that differs
 */
export function verifyVersions(sqlite: Sqlite): string {
  const hashes = new Map<string, string>()
  for (const { chain, event } of snapshotEntries(sqlite)) {
    const content = JSON.parse(event) as EventContent
    if (!content.unchanged) hashes.set(`${chain} ${content.number ?? content.configurationVersion}`, content.hash!)
  }
  const count = hashes.size
  for (const row of storedVersions(sqlite)) {
    const what = `configuration version ${row.number} of trial ${row.trial}`
    const unknown = unknownVersion(row.hash, 1)
    if (unknown) throw fault(`${what} ${unknown}`)
    if (hashOf(JSON.parse(row.snapshot)) !== row.hash) throw fault(`${what} is not what was taken`)
    const key = `${row.trial} ${row.number}`
    if (hashes.get(key) !== row.hash) throw fault(`${what} is not the one in the audit trail`)
    hashes.delete(key)
  }
  const purged = purgedTrials(drizzleOf(sqlite))
  const lost = hashes.keys().find((key) => !purged.has(key.slice(0, key.indexOf(' '))))
  if (lost) throw fault(`configuration version ${lost.split(' ')[1]} of trial ${lost.split(' ')[0]} is missing`)
  return `${count} configuration versions are as they were taken`
}
