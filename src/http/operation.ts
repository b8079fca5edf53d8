/** The type of an operation. An operation is a value: everything that a handler could forget is a field of it. */
import type { TObject } from '@sinclair/typebox'
import type { Access, Caller, ParticipantCaller, Places, SessionCaller, Staff } from '#access/caller'
import type { PermissionWord, TeamKey } from '#access/keys'
import type { Policy } from '#access/lockout'
import type { CallerKind, Needs } from '#access/rule'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { TSchema } from '#wire/schema'
import type { CommonFields, ReadSubjects } from './operationFields'
import type { Services } from './services'
import type { FieldsOf, Model, Params, ResultOf } from './types'

export { anywhere, type CallerKind, callersOf, type Need, type Needs } from '#access/rule'

/** The device and address that a request came from. */
export type Client = { address: string | null; device: string | null }

/** What an audit entry holds besides its type, time and actor. */
export type Note = {
  /** With a type, the note is a separate entry of this type. The operation's own entry is omitted if no note is for it. */
  type?: string
  event?: Record<string, unknown>
  /** The `_id` of the participant whom the act is about, if it is not the one that the path names. */
  participant?: Id | null
  personal?: Record<string, unknown>
  /** Another chain than that of the operation's scope, such as that of a trial that was just created. */
  chain?: string
  /**
   * The actor, if the act itself proves it, such as a sign-in. `email`: a person without an account, who opened a link sent to that address.
   * `nobody`: a person whose address and device the trail does not keep, as they may become a participant.
   */
  by?: { participant: Id } | { user: { _id: Id; email: string } } | { email: string } | 'nobody'
  /** The account that the act is about, if it is not the actor's: the logs of its teams then hold the entry. */
  account?: Id
}

/** What every scope and operation receives: the caller, the parameters of the path, the query, and the services. */
export type RequestContext<C extends Caller = Caller, P = Record<never, never>, Q = unknown> = {
  services: Services
  db: Db
  now: Instant
  /** A new `_id`. */
  id(): Id
  caller: C
  client: Client
  /** Whether the request is from this machine, or has the token of the metrics. */
  isMonitor: boolean
  /**
   * The beginning of links that the answer holds, without a slash at the end. Messages begin theirs with `services.publicUrl`,
   * which no caller can choose.
   */
  origin: string
  /** The Idempotency-Key of the request; null without one. */
  key: string | null
  /** The headers `Accept` and `Accept-Language` of the request; null without one. */
  accept: string | null
  acceptLanguage: string | null
  params: Readonly<P>
  query: Q
  /** The body after its check, for scopes of what a body names; `run` has it with its type. */
  body: unknown
}

/** The name of an account whose attempts have a policy of their own, and a counter that it shares with others. */
export type AttemptPolicy = { account: string; policy: Policy; sharedCounter?: { name: string; policy: Policy } }

/** The result of a scope: at least what locks, permissions, timelines and the audit trail need. */
export type ScopeResult = {
  trial?: {
    _id: Id
    team: Id
    isLocked: boolean
    isDatabaseLocked: boolean
    revision: number
    progressRevision: number
  }
  team?: { _id: Id }
  /** The permissions of the caller on the trial. */
  access?: Access
  /** The sites and groups that the thing named by the path belongs to; keys on sites and groups are checked against these. */
  places?: Places
  /** The participant whom the path names: audit entries of the act or its refusal name them. */
  participant?: { _id: Id } | undefined
  /** The participant who acts, if the path itself proves it, as their own link does. The audit entry names them as the actor. */
  account?: Id
}

/**
 * Loads what the path names, if the caller may see it; else refuses with 404. `N` are the parameters that it reads; an
 * operation whose path lacks one of them does not compile.
 */
export type Scope<S extends ScopeResult, N extends string = never, C extends Caller = Staff, Q = unknown> = (
  context: RequestContext<C, Record<N, Id>, Q>,
) => S

/** Participants and callers who are not signed in have no permissions. */
type NeedsOf<W extends CallerKind> = [W] extends ['participant' | 'anyone'] ? 'nothing' : Needs

type CallerOf<W extends CallerKind> = {
  staff: Staff
  session: SessionCaller
  participant: ParticipantCaller
  anyone: Caller
}[W]

type BaseContext<W extends CallerKind, P extends string, S, B, Q> = RequestContext<CallerOf<W>, Params<P>, Model<Q>> & {
  body: Model<B>
} & S

/** What `run` receives. */
export type Context<W extends CallerKind, P extends string, S, B, Q, Z> = BaseContext<W, P, S, B, Q> & {
  prepared: Z
  /** Adds to the audit entry of this act; with a `type`, writes a separate entry. */
  record(note: Note): void
  /** Runs after the commit is on disk: jobs, messages. If it throws, the error is logged and the response is still a success. */
  after(effect: () => void): void
  /** Headers of a success besides the common ones, such as a cookie. */
  headers: Record<string, string>
}

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

/**
 * An operation, with its fields in this order: method `M`, path `P`, callers `W`, result of the scope `S`, models of the
 * body `B`, the query `Q` and the response `R`, whether it streams `F`, and the result of `prepare` `Z`.
 */
export type Operation<
  M extends Method,
  P extends string,
  W extends CallerKind,
  S extends ScopeResult,
  B extends TSchema | undefined,
  Q extends TObject | undefined,
  R extends TSchema,
  F extends boolean,
  Z,
> = CommonFields & {
  method: M
  path: P
  /** Who may call it; the default is staff. */
  who?: W | readonly W[]
  scope?: (context: RequestContext<CallerOf<W>, Params<P>, Model<Q>>) => S
  /** Any of these permissions; `trial.admin` is always enough. */
  needs: NeedsOf<W>
  /** For every field of the body, the permission that a request with this field needs. */
  needsByField?: Readonly<Record<FieldsOf<B>, PermissionWord | TeamKey | 'nothing'>>
  /**
   * The noun that it acts on, as the scope names it. The pipeline records the change: of a POST `{after}`, of a DELETE
   * `{before}`, of a PUT the fields that differ. The value after the change is the result of `run`.
   */
  of?: M extends 'POST' ? string : keyof S & string
  /** The type of its audit entry. A function of the query if only some calls write one, as in exports. Every change has one. */
  logs?: string | ((query: Model<Q>) => string | undefined)
  /**
   * The participants whose data its response to staff shows, for the trail of reads. The default of a GET is the participant of the scope, if any.
   * A function returns the participants whom the answer names; a streamed response counts for all participants whom its query finds.
   */
  reads?: ReadSubjects<ResultOf<R>, Model<Q>>
  /**
   * For operations whose body has a secret that a person chose: the name of its account. Refusals that say that the secret is
   * wrong are counted, and after too many of them further ones are refused.
   */
  attempts?: (
    context: RequestContext<CallerOf<W>, Params<P>> & { body: Model<B> },
  ) => string | AttemptPolicy | undefined
  /** Writes the audit entry of such a refusal, in a transaction of its own. */
  recordFailure?: (context: RequestContext<CallerOf<W>, Params<P>> & { body: Model<B> }) => void
  body?: B
  query?: Q
  /** Whether a call with this query ignores its body: the body is neither read nor checked. */
  ignoresBody?: (query: Model<Q>) => boolean
  returns: R
  /** `run` may return a `Response`, such as a stream, which is sent unchanged. */
  streams?: F
  /** The only part that may await. It runs after the first checks, outside the transaction. */
  prepare?: (context: BaseContext<W, P, S, B, Q> & { request: Request }) => Promise<Z>
  /**
   * What must be done before the answer, in short transactions after the first: what `run` accepted goes on after a kill, too. A repeated
   * request waits for it as well.
   */
  finish?: (context: RequestContext<CallerOf<W>, Params<P>>) => Promise<void>
  /** Performs the operation, synchronously, inside the transaction. The response omits fields that the model does not name. */
  run: (context: Context<W, P, S, B, Q, Z>) => ResultOf<R> | (F extends true ? Response : never)
}

/** An operation of any types, for the pipeline and the OpenAPI document. */
export type AnyOperation = CommonFields & {
  method: Method
  path: string
  who?: CallerKind | readonly CallerKind[]
  needs: Needs
  needsByField?: Readonly<Record<string, PermissionWord | TeamKey | 'nothing'>>
  of?: string
  body?: TSchema
  query?: TObject
  returns: TSchema
  streams?: boolean
  // `operation` checked the types of these functions.
  // biome-ignore-start lint/suspicious/noExplicitAny: the list mixes operations of all types
  scope?: (context: any) => ScopeResult
  logs?: string | ((query: any) => string | undefined)
  reads?: ReadSubjects<any, any>
  attempts?: (context: any) => string | AttemptPolicy | undefined
  recordFailure?: (context: any) => void
  ignoresBody?: (query: any) => boolean
  prepare?: (context: any) => Promise<unknown>
  finish?: (context: any) => Promise<void>
  run: (context: any) => unknown
  // biome-ignore-end lint/suspicious/noExplicitAny: the list mixes operations of all types
}

/** Defines an operation. Returns its argument: this function exists to check and infer the types. */
export const operation = <
  M extends Method,
  P extends string,
  R extends TSchema,
  W extends CallerKind = 'staff',
  S extends ScopeResult = Record<never, never>,
  B extends TSchema | undefined = undefined,
  Q extends TObject | undefined = undefined,
  F extends boolean = false,
  Z = undefined,
>(
  value: Operation<M, P, W, S, B, Q, R, F, Z>,
): AnyOperation => value as AnyOperation
