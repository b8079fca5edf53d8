/** Writes the audit entry of an act: who acted, from which device and address, on whom. */
import type { Caller } from '#access/caller'
import { accountChains } from '#access/store'
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

/**
 * The chains of an entry: that of the trial, else of the team, that the act is about. An act on an account, such as a sign-in,
 * is recorded for each team of the account, so that its admins can read it.
 */
function chainsOf(context: RequestContext, { trial, team }: ScopeResult, note: Note): string[] {
  const chain = note.chain ?? trial?._id ?? team?._id
  if (chain !== undefined) return [chain]
  const { caller } = context
  const actor = caller.kind === 'staff' ? caller.user._id : undefined
  const account = note.account ?? (note.by && 'user' in note.by ? note.by.user._id : actor)
  return account === undefined ? ['service'] : accountChains(context.db, account)
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
  const entry = {
    createdAt: context.now,
    type,
    event: { ...params, ...note.event },
    ...(by ? provenActor(by, context.client) : actor(context)),
    ...(participant === undefined ? {} : { participant }),
    ...(personal ? { personal } : {}),
  }
  for (const chain of chainsOf(context, scoped, note)) appendEntry(context.db, { chain, ...entry })
}

const provenActor = (by: NonNullable<Note['by']>, client: Client) =>
  'participant' in by
    ? { userType: 'participant' as const, participant: by.participant }
    : { userType: 'user' as const, user: by.user._id, userEmail: by.user.email, ...client }
