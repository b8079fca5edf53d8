/** Records whom an answer told of, in the trail of reads (docs/security.md, "Who looked"). */
import type { Staff } from '#access/caller'
import { concealsArms, seesArms } from '#access/concealedStore'
import { packIds } from '#audit/packedIds'
import { appendReads, type Read } from '#audit/reads'
import type { JsonObject } from '#kernel/json'
import type { Instant } from '#kernel/time'
import { type Call, isSafe } from './call'
import type { Client } from './operation'

/** An answer that tells of more than this is recorded as what its filter finds. */
const MOST_NAMED = 200

type Reader = { caller: Staff; client: Client; now: Instant }

/** A read by a member of staff. */
const readBy = ({ caller, client, now }: Reader, what: Pick<Read, 'trial' | 'operation' | 'about'>): Read => ({
  ...what,
  createdAt: now,
  user: caller.user._id,
  userEmail: caller.user.email,
  apiToken: 'apiKey' in caller.via ? caller.via.apiKey : null,
  address: client.address,
})

/** The query as the trail keeps it: without text that a person searched for, which may be a name. */
function filterOf({ plan, query }: Call): JsonObject {
  const properties = plan.op.query?.properties as Record<string, { personal?: boolean }> | undefined
  return Object.fromEntries(
    Object.entries(query as JsonObject).filter(([name]) => properties?.[name]?.personal !== true),
  )
}

/** What of a query chooses a page, its order and a form, but not whom a list tells of: none is in the order of arms. */
const OF_PAGES: readonly string[] = ['after', 'format', 'limit', 'page', 'perPage', 'sort', 'sortOrder']

/**
 * Whether the caller sees arms that are concealed from others, and chose by a query whom a list tells of. It may have been by the arm, and
 * blinded people read the trail: by the names they would learn who has one.
 */
function mayChooseArm({ context, scoped, query }: Call): boolean {
  const { access, trial } = scoped
  if (!access || !trial || !seesArms(access)) return false
  const chooses = Object.keys(query as JsonObject).some((name) => !OF_PAGES.includes(name))
  return chooses && concealsArms(context.db, trial._id)
}

/** Whom the answer tells of; undefined if of nobody. */
function aboutOf(call: Call, result: unknown): Read['about'] | undefined {
  const { plan, scoped, query } = call
  const { reads = isSafe(plan.op) ? 'participant' : 'nobody' } = plan.op
  if (reads === 'nobody') return undefined
  if (reads === 'participant') return scoped.participant && { participants: packIds([scoped.participant._id]) }
  const told = reads === 'filter' || result instanceof Response ? 'filter' : reads(result, query)
  if (told === 'filter' || told.length > MOST_NAMED) return { filter: filterOf(call) }
  const participants = packIds(told)
  if (participants.length && mayChooseArm(call)) return { filter: filterOf(call) }
  return participants.length ? { participants } : undefined
}

/**
 * Records the read of a success. In a transaction the row is on disk before the answer is sent; else it is written with others within
 * a second.
 */
export function recordReads(call: Call, result: unknown): void {
  const { plan, context, scoped, query, effects } = call
  const { caller, client, now, db } = context
  if (caller.kind !== 'staff' || !scoped.trial) return
  const about = aboutOf(call, result)
  if (!about) return
  const { reads } = plan.services
  const read = readBy({ caller, client, now }, { trial: scoped.trial._id, operation: plan.op.id, about })
  if (!plan.writes(query)) {
    reads.note(read)
    return
  }
  const left = reads.unrecorded(read)
  if (!left) return
  appendReads(db, [left])
  effects.push(() => reads.recorded(left))
}
