/** Downloads in the trail of reads (docs/security.md, "Who looked"). */
import { readerIn } from '#access/fileReaders'
import { packIds } from '#audit/packedIds'
import type { ReadEntry } from '#audit/reads'
import type { Db } from '#db/open'
import { rowById } from '#db/rows'
import { queries, users } from '#db/tables/index'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import { fileByName, type StoredFile } from '#storage/store'
import { participantOfConsent } from './readStore'

/** Whom a file is about; undefined for a file of the study itself. */
function readSubjectOf(db: Db, { kind, forType, forId, storedName }: StoredFile): ReadEntry['about'] | undefined {
  if (kind !== 'upload') return { filter: { file: storedName } }
  const one = (participant: Id | null | undefined) =>
    participant ? { participants: packIds([participant]) } : { filter: { file: storedName } }
  if (forType === 'participant') return one(forId)
  if (forType === 'query') return one(rowById(db, queries, forId)?.participant)
  const consent = forType === 'trial' ? participantOfConsent(db, forId) : undefined
  return consent && one(consent.participant)
}

/**
 * The read that a download is; undefined if the file is not about participants, or the link was given to a person who is not staff.
 * If the holder of the link is unknown, the read has no address either, because that may be the participant's.
 */
export function readOfFile(
  db: Db,
  storedName: string,
  { reader, address, now }: { reader: string | undefined; address: string | null; now: Instant },
): ReadEntry | undefined {
  const who = readerIn(reader)
  const file = fileByName(db, storedName)
  if (who === 'own' || !file?.trial) return undefined
  const about = readSubjectOf(db, file)
  if (!about) return undefined
  const read = { trial: file.trial, createdAt: now, operation: 'downloadFile', about }
  if (!who) return { ...read, user: null, userEmail: null, apiToken: null, address: null }
  return { ...read, ...who, userEmail: rowById(db, users, who.user)?.email ?? null, address }
}
