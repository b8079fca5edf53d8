/** Checks that signatures are what was signed, and are valid only for what has not changed (docs/review.md, "Signatures"). */
import { unknownVersion } from '#audit/digest'
import { eventsOf } from '#conduct/responses/events'
import { responseById } from '#conduct/responses/store'
import { drizzleOf, type Sqlite } from '#db/open'
import { rowById, rowsFrom } from '#db/rows'
import { participants, signatures } from '#db/tables/index'
import { fault } from '#kernel/fault'
import type { Id } from '#kernel/id'
import { responseHash, signatureHash } from './content'
import { coveredBy, signEntries } from './store'

type SignatureEvent = { signature: Id; hash: string }

/** Checks every signature against what it covers and the audit trail. @throws a fault that names the first that is wrong */
export function verifySignatures(sqlite: Sqlite): string {
  const db = drizzleOf(sqlite)
  const recorded = new Map<Id, { hash: string; participant: Id }>()
  for (const { event, participant } of signEntries(sqlite)) {
    const { signature, hash } = JSON.parse(event) as SignatureEvent
    recorded.set(signature, { hash, participant })
  }
  let count = 0
  const rows = rowsFrom(db, signatures, 'ORDER BY _id')
  for (const row of rows) {
    const unknown = unknownVersion(row.hash, 1)
    if (unknown) throw fault(`signature ${row._id} ${unknown}`)
    const signed = coveredBy(db, row._id)
    const parts = signed.map(({ response, hash }) => ({ _id: response, hash }))
    if (recorded.get(row._id)?.hash !== row.hash || signatureHash(row, parts) !== row.hash) {
      throw fault(`signature ${row._id} is not what was signed`)
    }
    for (const { response, hash, endedAt } of signed) {
      const now = responseById(db, response)
      if (endedAt === null && (!now || responseHash(db, now) !== hash)) {
        throw fault(`signature ${row._id} stands for response ${response}, which was changed`)
      }
      const events = eventsOf(db, response)
      // The response was deleted with its history: it had been moved to a participant who was deleted.
      if (!now && !events.length) continue
      const isInHistory = events.some(
        ({ type, content }) => type === 'signed' && (JSON.parse(content) as SignatureEvent).signature === row._id,
      )
      if (!isInHistory) throw fault(`the history of response ${response} does not know signature ${row._id}`)
    }
    count++
  }
  const known = new Set(rows.map(({ _id }) => _id))
  const lost = [...recorded].find(([_id, { participant }]) => !known.has(_id) && rowById(db, participants, participant))
  if (lost) throw fault(`signature ${lost[0]} is missing`)
  return `${count} signatures are what was signed`
}
