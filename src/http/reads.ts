/** Records, in the trail of reads, the participants whose data a response showed (docs/security.md, "Who looked"). */

import { armsVisibleTo, concealsArms } from '#access/armConcealmentStore'
import type { Staff } from '#access/caller'
import { packIds } from '#audit/packedIds'
import { appendReads, type ReadEntry } from '#audit/reads'
import type { JsonObject } from '#kernel/json'
import type { Instant } from '#kernel/time'
import { type Call, isSafe } from './call'
import type { Client } from './operation'

/** A response about more participants than this is recorded by its filter. */
const MOST_NAMED = 200

type Reader = { caller: Staff; client: Client; now: Instant }

/** A read by a member of staff. */
const readOf = (
  { caller, client, now }: Reader,
  what: Pick<ReadEntry, 'trial' | 'operation' | 'about'>,
): ReadEntry => ({
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

/** Query parameters that choose a page, its order and a format, but not the participants of a list. No order depends on arms. */
const PAGE_PARAMETERS: readonly string[] = ['after', 'format', 'limit', 'page', 'perPage', 'sort', 'sortOrder']

/**
 * Whether the caller sees arms that are concealed from others, and chose by a query whom a list tells of. It may have been by the arm, and
 * blinded people read the trail: by the names they would learn who has one.
 */
function mayRevealArm({ context, scoped, query }: Call): boolean {
  const { access, trial } = scoped
  if (!access || !trial || !armsVisibleTo(access)) return false
  const chooses = Object.keys(query as JsonObject).some((name) => !PAGE_PARAMETERS.includes(name))
  return chooses && concealsArms(context.db, trial._id)
}

/** The participants whose data the response shows; undefined if it shows none. */
function subjectsOf(call: Call, result: unknown): ReadEntry['about'] | undefined {
  const { plan, scoped, query } = call
  const { reads = isSafe(plan.op) ? 'participant' : 'nobody' } = plan.op
  if (reads === 'nobody') return undefined
  if (reads === 'participant') return scoped.participant && { participants: packIds([scoped.participant._id]) }
  const subjects = reads === 'filter' || result instanceof Response ? 'filter' : reads(result, query)
  if (subjects === 'filter' || subjects.length > MOST_NAMED) return { filter: filterOf(call) }
  const participants = packIds(subjects)
  if (participants.length && mayRevealArm(call)) return { filter: filterOf(call) }
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
  const about = subjectsOf(call, result)
  if (!about) return
  const { reads } = plan.services
  const read = readOf({ caller, client, now }, { trial: scoped.trial._id, operation: plan.op.id, about })
  if (!plan.writes(query)) {
    reads.record(read)
    return
  }
  const unrecorded = reads.unrecordedPart(read)
  if (!unrecorded) return
  appendReads(db, [unrecorded])
  effects.push(() => reads.markRecorded(unrecorded))
}
