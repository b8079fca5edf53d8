/**
 * Audit entries of reads and of refused reads. A page of the web app asks for the same again and again: of those of
 * a web session that say the same, one is written in 15 minutes (docs/security.md, "Who looked").
 */
import { appendEntry } from '#audit/append'
import { isTrial } from '#audit/store'
import { transactionCache } from '#db/commit'
import { sha256 } from '#kernel/id'
import type { Problem } from '#kernel/problem'
import { storedJson } from '#kernel/text'
import { type Call, isSafe } from './call'
import { entriesOf } from './entries'
import type { Note } from './operation'

/** Whether an entry of this call may be one of several that say the same: a refused GET, or the operation's own entry of a look. */
const isAccessEntry = ({ plan, context: { caller } }: Call, isRefusal: boolean): boolean =>
  caller.kind === 'staff' &&
  'session' in caller.via &&
  isSafe(plan.op) &&
  (isRefusal || plan.op.isAccessLogged === true)

/**
 * Writes the entry of a call, in its transaction, unless it is a look whose entry is there.
 * @returns what remembers the entry. Call it after the commit.
 */
export function writeEntryOnce(call: Call, type: string, note: Note): () => void {
  const { plan, context, scoped } = call
  const { db, now } = context
  const entries = entriesOf(plan.op, context, scoped, type, note)
  if (!isAccessEntry(call, type === 'accessRefused')) {
    for (const entry of entries) appendEntry(db, entry)
    return () => {}
  }
  const known = plan.services.reads.entries
  const cache = transactionCache(db)
  const written: (() => void)[] = []
  for (const { createdAt: _, ...entry } of entries) {
    const { chain } = entry
    const content = sha256(storedJson({ ...entry, operation: plan.op.id, query: call.query }))
    const isWritten = known.has(chain, content, now) || cache?.has(content)
    if (isWritten) continue
    appendEntry(db, { ...entry, createdAt: now })
    cache?.set(content, true)
    written.push(() => known.add(chain, content, now))
  }
  return () => {
    for (const remember of written) remember()
  }
}

/**
 * Writes the entry of a refusal (403) of something in a trial or team, outside the transaction that the refusal rolled back. The trial
 * may be deleted meanwhile, and its trail with it: an entry more would look like a manipulation.
 */
export async function recordRefusal(call: Call, { message, body }: Problem): Promise<void> {
  const { plan, context, scoped } = call
  const { services, name } = plan
  if (!scoped.trial && !scoped.team) return
  // The audit trail never changes, but an address in the manual may: it is left out. The values are in the message.
  const { manual: _, params: __, ...details } = body.details ?? {}
  const event = { operation: name, message, ...details }
  await services
    .commit(() => {
      const hasTrial = !scoped.trial || isTrial(context.db, scoped.trial._id)
      return hasTrial ? writeEntryOnce(call, 'accessRefused', { event }) : () => {}
    })
    .then((remember) => remember())
    .catch((fault) => services.fault(fault, `${name}, entry of its refusal`))
}
