import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { type Author, appendEvent } from './events'
import { transferFiles } from './files'
import { endSignatures } from './sourceVerificationStore'
import { moveResponse, type ResponseRow } from './store'

/** Moves a response and ends the signatures on it. Returns what the audit entry keeps. */
export function move(
  db: Db,
  row: ResponseRow,
  to: { participant: Id | null; stageRecurrence: number },
  by: Author,
  at: Instant,
) {
  const from = { participant: row.participant, stageRecurrence: row.stageRecurrence }
  const signatures = row.marks ? endSignatures(db, row._id, at) : []
  transferFiles(db, row._id, row.participant ?? row._id, to.participant ?? row._id)
  moveResponse(db, row._id, to.participant, to.stageRecurrence, at)
  const moved = { ...row, participant: to.participant }
  return { from, to, entry: appendEvent(db, moved, 'moved', by, at, { from, to, signatures }) }
}
