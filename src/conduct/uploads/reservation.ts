/**
 * The room that an announced upload keeps in the quotas until its bytes are there (docs/contract.md, "Files"): for a short time without
 * a byte, longer once bytes have come. An upload that has lost its room can still arrive, if there is room for it then.
 */

import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '#kernel/time'
import {
  countOpenUploads,
  fileByName,
  holdUpload,
  insertFile,
  prolongUpload,
  type StoredFile,
  waitingUpload,
} from '#storage/store'
import { requireQuota } from './quota'

/** How long an announced upload keeps its room if no byte comes. */
const HELD_WITHOUT_BYTES = 10 * MINUTE
/** How long it keeps its room after a byte has come: a line may break for a while. */
const HELD_AFTER_BYTES = HOUR
/** How long its row waits for bytes. The link is valid for an hour, and an upload that begins in its last minute may take long. */
const ROW_LIFETIME = DAY
/** How often it is stored that bytes come. */
const RECORD_INTERVAL = MINUTE
/** How many uploads one participant, or one link, may have open. */
const MOST_OPEN = 20
/** Seconds after which a client may try again at the latest: an upload that arrives makes room at once. */
const LONGEST_WAIT = 60

type QuotaContext = { db: Db; quotas: Services['quotas']; now: Instant }
type UploadOwner = Pick<StoredFile, 'forType' | 'forId' | 'createdBy'> & { trial: Id | null }
type DeclaredFile = Pick<StoredFile, 'storedName' | 'name' | 'type'> & { size: number }

/** Refuses (429) an upload above those that may be open, and one (400) for which a quota has no room. */
function requireRoom(
  { db, quotas, now }: QuotaContext,
  { trial, forType, forId }: UploadOwner,
  { announcedBy, size }: { announcedBy: string | null; size: number },
): void {
  const isLimited = forType === 'participant' || announcedBy?.startsWith(LINK)
  const open = isLimited ? countOpenUploads(db, { forType, forId, announcedBy }, now) : { count: 0, next: null }
  if (open.count >= MOST_OPEN) {
    const wait = Math.ceil(((open.next ?? now) - now) / SECOND)
    throw refuse.tooManyOpen(reason('openUploads', { most: MOST_OPEN }), Math.min(Math.max(wait, 1), LONGEST_WAIT))
  }
  const participant = forType === 'participant' ? forId : undefined
  requireQuota(db, quotas, { participant, trial: trial ?? undefined }, size, now)
}

const LINK = 'link '

/**
 * Inserts the row of an upload, with room for it. Call it inside a transaction.
 * @param link identifies the link through which the file comes; without it, the account or participant counts
 * @throws 429 if too many are open, 400 if a quota has no room for it
 */
export function insertAnnouncedUpload(
  context: QuotaContext,
  owner: UploadOwner,
  declared: DeclaredFile,
  link?: string,
): void {
  const { db, now } = context
  const announcedBy = link === undefined ? owner.createdBy : LINK + link
  requireRoom(context, owner, { announcedBy, size: declared.size })
  const until = { expiresAt: now + ROW_LIFETIME, heldUntil: now + HELD_WITHOUT_BYTES }
  insertFile(db, { ...owner, ...declared, ...until, kind: 'upload', createdAt: now, announcedBy })
}

/** Keeps room for an upload that waits, if it has lost it. @throws as `insertAnnounced` */
function renewReservation(context: QuotaContext, file: StoredFile): void {
  const { db, now } = context
  const held = file.heldUntil ?? 0
  if (held <= now) requireRoom(context, file, { announcedBy: file.announcedBy, size: file.size ?? 0 })
  holdUpload(db, file.storedName, Math.max(held, now + HELD_WITHOUT_BYTES))
}

/**
 * Lets an upload that has begun wait longer. Call it inside a transaction.
 * @throws 404 if none with these fields waits for its bytes; else as `insertAnnounced`
 */
export function prolongAnnouncedUpload(
  context: QuotaContext,
  owner: UploadOwner,
  { storedName, ...declared }: DeclaredFile,
): void {
  const file = waitingUpload(context.db, storedName, { ...owner, ...declared }, context.now)
  if (!file) throw refuse.missing('unfinished upload')
  renewReservation(context, file)
  prolongUpload(context.db, storedName, context.now + ROW_LIFETIME)
}

/** Whether the upload has lost its room, so that `takeRoom` is due before its bytes are taken. */
export function hasLostReservation(db: Db, storedName: string, now: Instant): boolean {
  const file = fileByName(db, storedName)
  return file?.kind === 'upload' && file.finishedAt === null && (file.heldUntil ?? 0) <= now
}

/** Keeps room for an upload whose bytes are about to come. Call it inside a transaction. @throws as `insertAnnounced` */
export function reserveRoom(context: QuotaContext, storedName: string): void {
  const file = waitingUpload(context.db, storedName, {}, context.now)
  if (file) renewReservation(context, file)
}

/** Whether it is to be stored again that bytes of the upload come. */
export function isArrivalDue(db: Db, storedName: string, now: Instant): boolean {
  const file = fileByName(db, storedName)
  const isWaiting = file?.kind === 'upload' && file.finishedAt === null && file.size !== null
  return isWaiting && (file.heldUntil ?? 0) < now + HELD_AFTER_BYTES - RECORD_INTERVAL
}

/** Stores that bytes of the upload come: it keeps its room, and its row. Call it inside a transaction. */
export function recordArrival(db: Db, storedName: string, now: Instant): void {
  if (isArrivalDue(db, storedName, now)) holdUpload(db, storedName, now + HELD_AFTER_BYTES)
}
