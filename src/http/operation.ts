/** An operation is a value: everything that could be forgotten is a field of it. */
import type { TObject } from '@sinclair/typebox'
import type { Access, Caller, ParticipantCaller, Places, Staff } from '#access/caller'
import type { Feature, TeamKey, Word } from '#access/keys'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { TSchema } from '#wire/words'
import type { Services } from './services'
import type { FieldsOf, Model, Params, ResultOf } from './types'

export type Who = 'staff' | 'participant' | 'session' | 'anyone'

/** The device and address a request came from. */
export type Client = { address: string | null; device: string | null }

/** What an act writes down beside its type, time and actor. */
export type Note = {
  /** Makes it an entry of its own, of this type; the operation's own entry is then left out if nothing is noted for it. */
  type?: string
  event?: Record<string, unknown>
  /** The participant acted on, by `_id`, where it is not the one that the path names. */
  participant?: Id | null
  personal?: Record<string, unknown>
  /** Another chain than that of the operation's scope: the trial that was just made, for one. */
  chain?: string
  /** Who acted, where the act itself proves it: a sign-in, for one. */
  by?: { participant: Id } | { user: { _id: Id; email: string } }
}

/** What every scope and operation is given: the caller, what the path's parameters and the query say, and the service. */
export type Asked<C extends Caller = Caller, P = Record<never, never>, Q = unknown> = {
  services: Services
  db: Db
  now: Instant
  /** A new `_id`. */
  id(): Id
  caller: C
  client: Client
  params: Readonly<P>
  query: Q
}

/** What a scope finds: at least what locks, permissions, timelines and the audit trail need of it. */
export type Scoped = {
  trial?: { _id: Id; team: Id; isLocked: boolean; isDatabaseLocked: boolean; revision: number }
  team?: { _id: Id }
  /** What the caller holds on the trial. */
  access?: Access
  /** Where the thing named by the path belongs; site- and group-scoped keys are held against these. */
  places?: Places
  /** The participant whom the path names: what is done or refused is logged as about them. */
  participant?: { _id: Id } | undefined
  /** The participant whose act it is, where the path itself proves it: a link of theirs. It is logged as theirs. */
  account?: Id
}

/**
 * Loads what the path names, as far as this caller can see it; else refuses with 404. `N` are the parameters of the path
 * that it reads; a path that lacks one does not compile.
 */
export type Scope<S extends Scoped, N extends string = never, C extends Caller = Staff, Q = unknown> = (
  asked: Asked<C, Record<N, Id>, Q>,
) => S

/**
 * A permission: a word such as `trial.write`, which must be held on the trial or on a place of the thing named by the
 * path; `anywhere('trial.readParticipants')`, held on the trial or any site or group of it (what the operation then
 * touches is limited by visibility); or a team permission.
 */
export type Need = Word | TeamKey | { anywhere: Word }
export const anywhere = (word: Word): Need => ({ anywhere: word })

/** Any of these permissions; `'nothing'` where what the scope shows is enough. */
export type Needs = 'nothing' | Need | readonly Need[]

/** Participants and those who are not signed in hold no permissions. */
type NeedsOf<W extends Who> = [W] extends ['participant' | 'anyone'] ? 'nothing' : Needs

type CallerOf<W extends Who> = W extends 'participant' ? ParticipantCaller : W extends 'anyone' ? Caller : Staff

type Given<W extends Who, P extends string, S, B, Q> = Asked<CallerOf<W>, Params<P>, Model<Q>> & { body: Model<B> } & S

export type Context<W extends Who, P extends string, S, B, Q, Z> = Given<W, P, S, B, Q> & {
  prepared: Z
  /** Adds to the audit entry of this act; with a `type`, writes another entry beside it. */
  record(note: Note): void
  /** Runs once the act is on disk: jobs, messages. A fault in it is logged, the caller is answered as if it had not been. */
  after(effect: () => void): void
  /** Headers that a success carries besides the common ones: a cookie, for one. */
  headers: Record<string, string>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/** Fields whose types do not depend on those of others. */
type Plain = {
  /** What it does, in a few words; the heading in the OpenAPI document. */
  summary: string
  description?: string
  /** The team feature without which it is 403. */
  feature?: Feature
  /** Refused while that is locked. */
  changes?: 'configuration' | 'data'
  /** Needs the five-minute identity confirmation of a session. */
  fresh?: boolean
  /** Requests per minute: of an account, or of an address where anyone may ask. */
  limit?: number
  /** Its body or answer holds a secret: nothing of it is kept to answer an Idempotency-Key. */
  secret?: boolean
  /** The largest body in bytes; 1 MiB when left out. */
  largest?: number
}

/**
 * An operation, with its fields in this order: method `M` and path `P`, who calls it `W`, what its scope finds `S`, the
 * models of body `B`, query `Q` and answer `R`, whether it streams `F`, and what it prepares `Z`.
 */
export type Operation<
  M extends Method,
  P extends string,
  W extends Who,
  S extends Scoped,
  B extends TSchema | undefined,
  Q extends TObject | undefined,
  R extends TSchema,
  F extends boolean,
  Z,
> = Plain & {
  method: M
  path: P
  /** Who may call it; staff when left out. */
  who?: W | readonly W[]
  scope?: (asked: Asked<CallerOf<W>, Params<P>, Model<Q>>) => S
  /** Any of these permissions; `trial.admin` always suffices. */
  needs: NeedsOf<W>
  /** From every field of the body to the permission that touching it needs. */
  needsByField?: Readonly<Record<FieldsOf<B>, Word | TeamKey | 'nothing'>>
  /**
   * The noun it acts on, as the scope names it. The pipeline records what became of it: a POST `{after}`, a DELETE
   * `{before}`, a PUT the fields that differ. Afterwards it is what `run` returns.
   */
  of?: M extends 'POST' ? string : keyof S & string
  /** The type of the audit entry it leaves; by its query where only some calls leave one: exports. Every change has one. */
  logs?: string | ((query: Model<Q>) => string | undefined)
  body?: B
  query?: Q
  /** By its query: calls whose body is neither read nor checked. */
  ignoresBody?: (query: Model<Q>) => boolean
  returns: R
  /** `run` may answer with a `Response`, which is sent as it is: a stream made elsewhere. */
  streams?: F
  /** The only part that may wait. Runs after the first checks, outside the transaction. */
  prepare?: (context: Given<W, P, S, B, Q> & { request: Request }) => Promise<Z>
  /** Does it, synchronously, inside the transaction. What the model does not name is left out of the answer. */
  run: (context: Context<W, P, S, B, Q, Z>) => ResultOf<R> | (F extends true ? Response : never)
}

/** Who may call it, as a list. */
export const callersOf = ({ who = 'staff' }: Pick<AnyOperation, 'who'>): readonly Who[] => [who].flat()

/** An operation as the pipeline and the documents see it, whatever its types. */
export type AnyOperation = Plain & {
  method: Method
  path: string
  who?: Who | readonly Who[]
  needs: Needs
  needsByField?: Readonly<Record<string, Word | TeamKey | 'nothing'>>
  of?: string
  body?: TSchema
  query?: TObject
  returns: TSchema
  streams?: boolean
  // What these are given was checked where the operation was written down.
  // biome-ignore-start lint/suspicious/noExplicitAny: the list mixes operations of all types
  scope?: (asked: any) => Scoped
  logs?: string | ((query: any) => string | undefined)
  ignoresBody?: (query: any) => boolean
  prepare?: (context: any) => Promise<unknown>
  run: (context: any) => unknown
  // biome-ignore-end lint/suspicious/noExplicitAny: the list mixes operations of all types
}

/** An operation as the list holds it: what a caller of it must know keeps its precise type. */
export type Listed<M, P, B, Q, R> = Omit<AnyOperation, 'method' | 'path' | 'body' | 'query' | 'returns'> & {
  method: M
  path: P
  body?: B
  query?: Q
  returns: R
}

/** Writes an operation down; only here for its types. */
export const operation = <
  M extends Method,
  P extends string,
  R extends TSchema,
  W extends Who = 'staff',
  S extends Scoped = Record<never, never>,
  B extends TSchema | undefined = undefined,
  Q extends TObject | undefined = undefined,
  F extends boolean = false,
  Z = undefined,
>(
  value: Operation<M, P, W, S, B, Q, R, F, Z>,
): Listed<M, P, B, Q, R> => value
