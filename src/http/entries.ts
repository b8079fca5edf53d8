/** Writes the audit entry of an act: who acted, from which device and address, on whom. */
import type { Caller } from '#access/caller'
import { accountChains } from '#access/store'
import { appendEntry, type EntryContent } from '#audit/append'
import type { Id } from '#kernel/id'
import type { AnyOperation, Client, Note, RequestContext, ScopeResult } from './operation'

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
  const account = note.account ?? (note.by && note.by !== 'nobody' && 'user' in note.by ? note.by.user._id : actor)
  return account === undefined ? ['service'] : accountChains(context.db, account)
}

/** The entries of an act, one for each chain. @param op of an anonymous one, they name only whom the path proves */
export function entriesOf(
  { anonymous }: Pick<AnyOperation, 'anonymous'>,
  context: RequestContext<Caller, Record<string, Id>>,
  scoped: ScopeResult,
  type: string,
  note: Note,
): EntryContent[] {
  const { caller } = context
  const proven = scoped.account === undefined ? undefined : { participant: scoped.account }
  const by = note.by ?? proven ?? (anonymous && 'nobody')
  // A participant's device and address are personal information.
  const isByParticipant = by ? by !== 'nobody' && 'participant' in by : caller.kind === 'participant'
  const participant = note.participant === undefined ? scoped.participant?._id : note.participant
  const personal = isByParticipant ? { ...note.personal, client: context.client } : note.personal
  const shared = caller.kind === 'participant' && caller.device ? { sharedDevice: caller.device } : {}
  const entry: Omit<EntryContent, 'chain'> = {
    ...(by ? provenActor(by, context.client) : actor(context)),
    createdAt: context.now,
    type,
    event: { ...withoutToken(context.params), ...shared, ...note.event },
  }
  if (participant !== undefined) entry.participant = participant
  if (personal) entry.personal = personal
  return chainsOf(context, scoped, note).map((chain) => ({ ...entry, chain }))
}

/** Writes the entries of an act in its transaction. See `entriesOf`. */
export function writeEntry(...act: Parameters<typeof entriesOf>): void {
  const [, { db }] = act
  for (const entry of entriesOf(...act)) appendEntry(db, entry)
}

/** The parameters of the path, but a token, which is a credential: it is never recorded. */
function withoutToken(params: Readonly<Record<string, Id>>): Readonly<Record<string, Id>> {
  if (params.token === undefined) return params
  const { token: _, ...others } = params
  return others
}

function provenActor(by: NonNullable<Note['by']>, client: Client) {
  if (by === 'nobody') return { userType: 'system' as const }
  if ('participant' in by) return { userType: 'participant' as const, participant: by.participant }
  if ('email' in by) return { userType: 'user' as const, userEmail: by.email, ...client }
  return { userType: 'user' as const, user: by.user._id, userEmail: by.user.email, ...client }
}
