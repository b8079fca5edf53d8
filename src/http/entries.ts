/** Writes the audit entry of an act: who acted, from which device and address, on whom. */
import type { Caller } from '#access/caller'
import { appendEntry } from '#audit/append'
import type { Id } from '#kernel/id'
import type { Client, Note, RequestContext, ScopeResult } from './operation'

function actor(context: RequestContext) {
  const { caller, client } = context
  if (caller.kind === 'staff') {
    return {
      userType: 'user' as const,
      user: caller.user._id,
      userEmail: caller.user.email,
      apiToken: 'apiKey' in caller.via ? caller.via.apiKey : null,
      ...client,
    }
  }
  if (caller.kind === 'participant') return { userType: 'participant' as const, participant: caller.participant }
  return { userType: 'system' as const, ...client }
}

/** Writes the entry in the transaction of the act. */
export function writeEntry(
  context: RequestContext<Caller, Record<string, Id>>,
  scoped: ScopeResult,
  type: string,
  note: Note,
): void {
  const { caller } = context
  const { token: _, ...params } = context.params // a token in the path is a credential: it is never recorded
  const by = note.by ?? (scoped.account === undefined ? undefined : { participant: scoped.account })
  // A participant's device and address are personal information.
  const isByParticipant = by ? 'participant' in by : caller.kind === 'participant'
  const participant = note.participant === undefined ? scoped.participant?._id : note.participant
  const personal = isByParticipant ? { ...note.personal, client: context.client } : note.personal
  appendEntry(context.db, {
    chain: note.chain ?? scoped.trial?._id ?? scoped.team?._id ?? 'service',
    createdAt: context.now,
    type,
    event: { ...params, ...note.event },
    ...(by ? provenActor(by, context.client) : actor(context)),
    ...(participant === undefined ? {} : { participant }),
    ...(personal ? { personal } : {}),
  })
}

const provenActor = (by: NonNullable<Note['by']>, client: Client) =>
  'participant' in by
    ? { userType: 'participant' as const, participant: by.participant }
    : { userType: 'user' as const, user: by.user._id, userEmail: by.user.email, ...client }
