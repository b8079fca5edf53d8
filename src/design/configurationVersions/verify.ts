/** Verifies that nobody has altered the stored configuration versions (docs/review.md, "Configuration versions"). */
import { unknownVersion } from '#audit/digest'
import type { Sqlite } from '#db/open'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { hashOf } from './canonical'

type Row = { trial: Id; number: number; hash: string; snapshot: string }
type AuditEvent = { number?: number; configurationVersion?: number; hash?: string; unchanged?: true }

const TAKEN = `SELECT chain, event FROM auditEntries
  WHERE type IN ('createConfigurationVersion', 'lockTrial', 'lockDatabase') ORDER BY _id`

/**
 * Compares every version with its own hash and with the audit entry of its creation. Returns a sentence with their number.
 * @throws a fault that names the first version that does not match
 */
export function verifyVersions(sqlite: Sqlite): string {
  const taken = new Map<string, string>()
  for (const { chain, event } of sqlite.query<{ chain: Id; event: string }, []>(TAKEN).iterate()) {
    const details = JSON.parse(event) as AuditEvent
    if (!details.unchanged) taken.set(`${chain} ${details.number ?? details.configurationVersion}`, details.hash!)
  }
  const count = taken.size
  for (const row of sqlite.query<Row, []>('SELECT * FROM configurationVersions ORDER BY _id').iterate()) {
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
