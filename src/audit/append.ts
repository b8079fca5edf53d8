/**
 * The audit trail: append-only, each entry carrying the hash of the one before it in its chain (docs/decisions.md, "The
 * audit trail").
 */
import { turnNotes } from '#db/commit'
import type { Db } from '#db/open'
import { updateWhere } from '#db/rows'
import { auditEntries } from '#db/tables/index'
import { newSecret, sha256 } from '#kernel/id'
import type { Instant } from '#kernel/time'

/** The content of an entry. `chain` is the trial's `_id`, else the team's, else `service`. */
export type Act = {
  chain: string
  createdAt: Instant
  type: string
  userType: 'user' | 'participant' | 'system'
  user?: string | null
  userEmail?: string | null
  apiToken?: string | null
  participant?: string | null
  event: Record<string, unknown>
  /** Personal information of a participant, stored separately from the event. */
  personal?: Record<string, unknown>
  address?: string | null
  device?: string | null
}

/** The part of a stored entry that the hash covers. The event is the text that is hashed. */
export type Link = Omit<typeof auditEntries.$inferSelect, '_id' | 'event' | 'personal' | 'hash'> & { event: string }

/** All fields of an entry, in the order in which they are hashed. */
const saidBy = (link: Link) => [
  link.chain,
  link.number,
  link.createdAt,
  link.type,
  link.userType,
  link.user,
  link.userEmail,
  link.apiToken,
  link.participant,
  link.event,
  link.address,
  link.device,
  link.personalHash,
]

/** The hash of an entry: it covers the hash of the previous entry and all fields of this one. */
export const linkHash = (previous: string, link: Link): string => sha256(JSON.stringify([previous, ...saidBy(link)]))

/** The hash that the first entry of a chain has as the previous one. */
export const chainStart = (chain: string): string => sha256(`trialbox audit chain ${chain}`)

type Newest = { number: number; hash: string }

const NEWEST = 'SELECT number, hash FROM auditEntries WHERE chain = $chain ORDER BY number DESC LIMIT 1'
// SQL text, for speed: every write appends an entry, and the event is bound as exactly the text that is hashed.
const INSERT = `INSERT INTO auditEntries (chain, number, createdAt, type, userType, user, userEmail, apiToken, participant,
    event, address, device, personalHash, personal, hash)
  VALUES ($chain, $number, $createdAt, $type, $userType, $user, $userEmail, $apiToken, $participant,
    $event, $address, $device, $personalHash, $personal, $hash)`

/** Appends an entry. Call it in the transaction of the act. */
export function append(db: Db, act: Act): void {
  const sqlite = db.$client
  const notes = turnNotes(sqlite)
  const note = `newest entry of ${act.chain}`
  const { chain } = act
  const newest =
    (notes?.get(note) as Newest | undefined) ?? sqlite.query<Newest, [{ chain: string }]>(NEWEST).get({ chain })
  // Without the salt, the hash in the chain would reveal a short text such as a name.
  const personal = act.personal ? JSON.stringify({ salt: newSecret(), content: act.personal }) : null
  const link: Link = {
    chain,
    number: (newest?.number ?? 0) + 1,
    createdAt: act.createdAt,
    type: act.type,
    userType: act.userType,
    user: act.user ?? null,
    userEmail: act.userEmail ?? null,
    apiToken: act.apiToken ?? null,
    participant: act.participant ?? null,
    event: JSON.stringify(act.event),
    address: act.address ?? null,
    device: act.device ?? null,
    personalHash: personal === null ? null : sha256(personal),
  }
  const hash = linkHash(newest?.hash ?? chainStart(act.chain), link)
  sqlite.query<unknown, [Link & { personal: string | null; hash: string }]>(INSERT).run({ ...link, personal, hash })
  notes?.set(note, { number: link.number, hash })
}

/** Erases the personal information of a participant from all entries; the chain stays valid. */
export const erasePersonal = (db: Db, participant: string) =>
  updateWhere(db, auditEntries, { participant }, { personal: null })
