/** An operation is a value: everything that could be forgotten is a field of it. */
import type { TObject } from '@sinclair/typebox'
import type { Access, Caller, ParticipantCaller, Places, Staff } from '#access/caller'
import type { Feature } from '#access/keys'
import type { Db } from '#db/open'
import type { Id } from '#kernel/id'
import type { Instant } from '#kernel/time'
import type { Of, TSchema } from '#wire/words'
import type { Services } from './services'

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

/** What every scope and operation is given. */
export type Asked = {
  services: Services
  db: Db
  now: Instant
  /** A new `_id`. */
  id(): Id
  caller: Caller
  client: Client
  params: Readonly<Record<string, string>>
  /** The query string, checked by the operation's model: for scopes that it names something of. */
  query?: unknown
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

/** Loads what the path names, as far as this caller can see it; else refuses with 404. */
export type Scope<S extends Scoped> = (asked: Asked) => S

/**
 * A permission: a word such as `trial.write`, which must be held on the trial or on a place of the thing named by the
 * path; `anywhere('trial.readParticipants')`, held on the trial or any site or group of it (what the operation then
 * touches is limited by visibility); or a team permission.
 */
export type Need = string | { anywhere: string }
export const anywhere = (word: string): Need => ({ anywhere: word })

type CallerOf<W extends Who> = W extends 'participant' ? ParticipantCaller : W extends 'anyone' ? Caller : Staff

export type Context<S, W extends Who, B, Q, P> = Asked & {
  caller: CallerOf<W>
  body: B
  query: Q
  prepared: P
  /** Adds to the audit entry of this act; with a `type`, writes another entry beside it. */
  record(note: Note): void
  /** Runs once the act is on disk: jobs, messages. */
  after(effect: () => void): void
  /** Headers that a success carries besides the common ones: a cookie, for one. */
  headers: Record<string, string>
} & S

/** Before the transaction there is no scope to trust: it is loaded again inside. */
export type Preparing<S, W extends Who, B, Q> = Omit<
  Context<S, W, B, Q, undefined>,
  'record' | 'after' | 'headers' | 'prepared'
> & {
  request: Request
}

type Model<T> = T extends TSchema ? Of<T> : Record<string, never>

export type Operation<
  S extends Scoped = Scoped,
  W extends Who = Who,
  B extends TSchema | undefined = TSchema | undefined,
  Q extends TObject | undefined = TObject | undefined,
  P = unknown,
> = {
  method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  path: string
  /** What it does, in a few words; the heading in the OpenAPI document. */
  summary: string
  description?: string
  /** Who may call it; staff when left out. */
  who?: W | readonly W[]
  scope?: Scope<S>
  /** Any of these permissions; `trial.admin` always suffices. */
  needs?: Need | readonly Need[]
  /** From a field of the body to the permission that touching it needs. */
  needsByField?: Readonly<Record<string, string>>
  /** The team feature without which it is 403. */
  feature?: Feature
  /** Refused while that is locked. */
  changes?: 'configuration' | 'data'
  /** Needs the five-minute identity confirmation of a session. */
  fresh?: boolean
  /** Requests per minute: of an account, or of an address where anyone may ask. */
  limit?: number
  /** The type of the audit entry it leaves; by its query where only some calls leave one: exports. Every change has one. */
  logs?: string | ((query: Model<Q>) => string | undefined)
  body?: B
  /** By its query: calls whose body is neither read nor checked. */
  ignoresBody?: (query: Model<Q>) => boolean
  query?: Q
  /** Its body or answer holds a secret: nothing of it is kept to answer an Idempotency-Key. */
  secret?: boolean
  /** The largest body in bytes; 1 MiB when left out. */
  largest?: number
  returns: TSchema
  /** The only part that may wait. Runs after the first checks, outside the transaction. */
  prepare?: (context: Preparing<S, W, Model<B>, Model<Q>>) => Promise<P>
  /** Does it, synchronously, inside the transaction. A `Response` is sent as it is: a stream made elsewhere. */
  run: (context: Context<S, W, Model<B>, Model<Q>, P>) => unknown
}

/** An operation as the list holds it, whatever its types. */
// biome-ignore lint/suspicious/noExplicitAny: the list mixes operations of all types
export type AnyOperation = Operation<any, any, any, any, any>

/** Writes an operation down; only here for its types. */
export const operation = <
  S extends Scoped = Record<never, never>,
  W extends Who = 'staff',
  B extends TSchema | undefined = undefined,
  Q extends TObject | undefined = undefined,
  P = undefined,
>(
  value: Operation<S, W, B, Q, P>,
): AnyOperation => value
