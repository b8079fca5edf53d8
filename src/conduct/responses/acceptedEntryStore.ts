/** Entries that a participant's device sends, and that staff have taken over from those which the study refused. */
import type { Db } from '#db/open'
import { rowsFrom } from '#db/rows'
import { submissions } from '#db/tables/index'
import type { Id } from '#kernel/id'

// The index holds accepted entries only and all that is asked for: neither a row nor the answers in it are read.
const IS_ACCEPTED = `SELECT 1 AS one FROM heldEntries INDEXED BY heldEntriesAccepted
  WHERE participant = $participant AND entry = $entry AND status = 'accepted'`

/**
 * Whether staff have entered it from the entries that were refused. If that changed nothing, no submission has its id, and what staff
 * have corrected since must stay.
 */
export const isAcceptedEntry = (
  db: Db,
  { participant, entry, createdByType }: { participant: Id | null; entry: string | null; createdByType: string },
) =>
  participant !== null &&
  entry !== null &&
  createdByType === 'participant' &&
  db.$client.query<{ one: 1 }, [{ participant: Id; entry: string }]>(IS_ACCEPTED).get({ participant, entry }) !== null

/** The submission with which an entry of a participant was stored; undefined if none was. */
export const submissionOfEntry = (db: Db, participant: Id, entry: string) =>
  rowsFrom(db, submissions, 'WHERE participant = $participant AND entry = $entry LIMIT 1', { participant, entry })[0]
