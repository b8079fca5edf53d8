/** What the operations take and answer, by their ids, from the types that `scripts/types.ts` writes. There is no code here. */
import type { ByBody, ByQuery, Operations } from './types'

export type OperationId = keyof Operations

/** What an operation answers; any of its forms, if it has several. */
export type AnswerOf<I extends OperationId> = Operations[I]['answer']
/** The body of an operation's requests; `undefined` if they have none. */
export type BodyOf<I extends OperationId> = Operations[I] extends { body?: infer B } ? B : undefined
/** The query of an operation's requests; `undefined` if they have none. */
export type QueryOf<I extends OperationId> = Operations[I] extends { query?: infer Q } ? Q : undefined

/** The form of the answer that this query and body choose; any of them where their types leave the choice open. */
export type FormOf<I extends OperationId, Query = undefined, Body = undefined> = Operations[I] extends {
  forms: infer F
}
  ? Chosen<F, Query, Body>
  : AnswerOf<I>

type Chosen<F, Query, Body> =
  F extends ByQuery<infer Name, infer Usual, infer Others>
    ? ByValue<ValueOf<Query, Name>, Usual, Others, Query, Body>
    : F extends ByBody<infer Usual, infer Others>
      ? ByField<Body, Usual, Others>
      : F

type ByValue<Value, Usual, Others, Query, Body> = string extends Value
  ? AnyOf<Usual | Others[keyof Others]>
  : Chosen<`${Value & (string | boolean)}` extends infer V extends keyof Others ? Others[V] : Usual, Query, Body>

/** The form that a body with these fields chooses. A body of any fields may choose each. */
type ByField<Body, Usual, Others> = unknown extends Body
  ? AnyOf<Usual | Others[keyof Others]>
  : string extends keyof Body
    ? AnyOf<Usual | Others[keyof Others]>
    : Body extends unknown
      ? [keyof Body & keyof Others] extends [never]
        ? AnyOf<Usual>
        : AnyOf<Others[keyof Body & keyof Others]>
      : never

/** All forms of forms, each by itself. */
type AnyOf<F> = F extends { usual: infer Usual; others: infer Others } ? AnyOf<Usual | Others[keyof Others]> : F

/** The value of a parameter of the query; empty if the query does not have it, `string` if that is not known. */
type ValueOf<Query, Name extends string> = unknown extends Query
  ? string
  : Query extends { [N in Name]?: infer Value }
    ? Name extends keyof Query
      ? Value
      : ''
    : Query extends object
      ? string extends keyof Query
        ? string
        : ''
      : ''
