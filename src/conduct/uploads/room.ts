/**
 * The room that an announced upload keeps in the quotas until its bytes are there (docs/contract.md, "Files"): for a short time without
 * a byte, longer once bytes have come. An upload that has lost its room can still arrive, if there is room for it then.
 */
import type { Db } from '#db/open'
import type { Services } from '#http/services'
import type { Id } from '#kernel/id'
import { refuse } from '#kernel/problem'
import { DAY, HOUR, type Instant, MINUTE, SECOND } from '#kernel/time'
import {
  fileByName,
  holdUpload,
  insertFile,
  openUploads,
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
const EXPECTED = DAY
/** How often it is stored that bytes come. */
const NOTED_EVERY = MINUTE
/** How many uploads one participant, or one link, may have open. */
const MOST_OPEN = 20
/** Seconds after which a client may try again at the latest: an upload that arrives makes room at once. */
const LONGEST_WAIT = 60

type Context = { db: Db; quotas: Services['quotas']; now: Instant }
type Owner = Pick<StoredFile, 'forType' | 'forId' | 'createdBy'> & { trial: Id | null }
type Declared = Pick<StoredFile, 'storedName' | 'name' | 'type'> & { size: number }

/** Refuses (429) an upload above those that may be open, and one (400) for which a quota has no room. */
function requireRoom(
  { db, quotas, now }: Context,
  { trial, forType, forId }: Owner,
  { announcedBy, size }: { announcedBy: string | null; size: number },
): void {
  const isLimited = forType === 'participant' || announcedBy?.startsWith(LINK)
  const open = isLimited ? openUploads(db, { forType, forId, announcedBy }, now) : { count: 0, next: null }
  if (open.count >= MOST_OPEN) {
    const wait = Math.ceil(((open.next ?? now) - now) / SECOND)
    throw refuse.tooManyOpen(`${MOST_OPEN} open uploads`, Math.min(Math.max(wait, 1), LONGEST_WAIT))
  }
  const participant = forType === 'participant' ? forId : undefined
  requireQuota(db, quotas, { participant, trial: trial ?? undefined }, size, now)
}

const LINK = 'link '

/**
 * Inserts the row of an upload, with room for it. Call it inside a transaction.
 * @param link what tells the links apart through which files for one thing come; without it, the account or participant counts
 * @throws 429 if too many are open, 400 if a quota has no room for it
 */
export function insertAnnounced(context: Context, owner: Owner, declared: Declared, link?: string): void {
  const { db, now } = context
  const announcedBy = link === undefined ? owner.createdBy : LINK + link
  requireRoom(context, owner, { announcedBy, size: declared.size })
  const until = { expiresAt: now + EXPECTED, heldUntil: now + HELD_WITHOUT_BYTES }
  insertFile(db, { ...owner, ...declared, ...until, kind: 'upload', createdAt: now, announcedBy })
}

/** Keeps room for an upload that waits, if it has lost it. @throws as `insertAnnounced` */
function keepRoom(context: Context, file: StoredFile): void {
  const { db, now } = context
  const held = file.heldUntil ?? 0
  if (held <= now) requireRoom(context, file, { announcedBy: file.announcedBy, size: file.size ?? 0 })
  holdUpload(db, file.storedName, Math.max(held, now + HELD_WITHOUT_BYTES))
}

/**
 * Lets an upload that has begun wait longer. Call it inside a transaction.
 * @throws 404 if none with these fields waits for its bytes; else as `insertAnnounced`
 */
export function prolongAnnounced(context: Context, owner: Owner, { storedName, ...declared }: Declared): void {
  const file = waitingUpload(context.db, storedName, { ...owner, ...declared }, context.now)
  if (!file) throw refuse.missing('unfinished upload')
  keepRoom(context, file)
  prolongUpload(context.db, storedName, context.now + EXPECTED)
}

/** Whether the upload has lost its room, so that `takeRoom` is due before its bytes are taken. */
export function hasLostRoom(db: Db, storedName: string, now: Instant): boolean {
  const file = fileByName(db, storedName)
  return file?.kind === 'upload' && file.finishedAt === null && (file.heldUntil ?? 0) <= now
}

/** Keeps room for an upload whose bytes are about to come. Call it inside a transaction. @throws as `insertAnnounced` */
export function takeRoom(context: Context, storedName: string): void {
  const file = waitingUpload(context.db, storedName, {}, context.now)
  if (file) keepRoom(context, file)
}

/** Whether it is to be stored again that bytes of the upload come. */
export function isArrivalDue(db: Db, storedName: string, now: Instant): boolean {
  const file = fileByName(db, storedName)
  const isWaiting = file?.kind === 'upload' && file.finishedAt === null && file.size !== null
  return isWaiting && (file.heldUntil ?? 0) < now + HELD_AFTER_BYTES - NOTED_EVERY
}

/** Stores that bytes of the upload come: it keeps its room, and its row. Call it inside a transaction. */
export function noteArrival(db: Db, storedName: string, now: Instant): void {
  if (isArrivalDue(db, storedName, now)) holdUpload(db, storedName, now + HELD_AFTER_BYTES)
}
