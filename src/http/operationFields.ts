/** The fields of an operation whose types do not depend on its other fields, and the type of `reads`. */
import type { Feature } from '#access/keys'
import type { Id } from '#kernel/id'

export type CommonFields = {
  /** Its name for programs, unique and never changed: the `operationId` of the OpenAPI document, a function of the client. */
  id: string
  /** What the operation does, in a few words; the heading in the OpenAPI document. */
  summary: string
  /** What a caller should know besides, for the OpenAPI document. */
  description?: string
  /** Fields of its noun that it sets although its body does not name them: the path or the query does, or another field. */
  sets?: readonly string[]
  /** Its answers and refusals are resources of FHIR. */
  fhir?: true
  /** The team feature that it needs; 403 if the feature is off. */
  feature?: Feature
  /** What it changes: it is refused while that is locked. */
  changes?: 'configuration' | 'data'
  /** A GET that changes something, as a request for an upload: an API key that may only read cannot send it. */
  writesByGet?: true
  /** A GET whose audit entry says that somebody looked: of a web session, one that says the same is written in 15 minutes. */
  isAccessLogged?: true
  /** Needs a session whose identity was confirmed within five minutes. */
  fresh?: boolean
  /** Requests per minute, by account; by address if anyone may call it. */
  limit?: number
  /**
   * For operations whose path or body has a secret that the service made, such as a link: wrong ones that an address may try
   * per minute.
   */
  failures?: number
  /**
   * The caller stays anonymous, unless the path proves who they are: the audit trail has no account, address or device of them, of
   * refusals neither, and the log no address.
   */
  anonymous?: true
  /**
   * Its response holds a secret: it is never stored for an Idempotency-Key. `'readable'`: the caller can read the secret again at
   * any time, so that the response is stored, encrypted.
   */
  secret?: true | 'readable'
  /** Its Idempotency-Key is kept for ever: a device may send months later what it kept while it was offline. */
  keepsKey?: boolean
  /** The largest body in bytes; the default is 1 MiB. */
  maxBodyBytes?: number
}

/** `filter`: all whom the query finds; `participant`: the one whom the scope names; `nobody`: no participant. */
export type ReadSubjects<R, Q> =
  | ('filter' | 'participant' | 'nobody')
  | ((result: R, query: Q) => readonly (Id | null | undefined)[] | 'filter')
