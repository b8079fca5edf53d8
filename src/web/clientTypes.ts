/** The types of the client: what each operation takes and returns, by its path or by a URL. There is no code here, only types. */

import type { ListedOperation, Method } from '#http/operation'
import type { operations } from '#start/app'
import type { AnswerForms, ByBody, ByQuery, TSchema, WireValueOf } from '#wire/schema'

type Operations = (typeof operations)[number]

/** Every operation by method and path: `PUT /groups/:groupId`. */
type ByPath = { [O in Operations as `${O['method']} ${O['path']}`]: O }

/** Every operation by method and path with parameters left open: `PUT /groups/:`. */
type ByPattern = { [O in Operations as `${O['method']} ${OpenPath<O['path']>}`]: O }

/** The paths of the operations with this method. */
export type PathOf<M extends Method> = Extract<Operations, { method: M }>['path']

/** `/groups/:groupId` as `/groups/:`. */
type OpenPath<P> = P extends `/${infer First}/${infer Rest}`
  ? `/${OpenSegment<First>}${OpenPath<`/${Rest}`>}`
  : P extends `/${infer Last}`
    ? `/${OpenSegment<Last>}`
    : P

type OpenSegment<S extends string> = S extends `:${string}` ? ':' : S

/** The pattern of a URL's path: each `${value}` is a parameter. */
type PatternOf<U> = U extends `/${infer First}/${infer Rest}`
  ? `/${ExactSegment<First>}${PatternOf<`/${Rest}`>}`
  : U extends `/${infer Last}`
    ? `/${ExactSegment<Last>}`
    : ''

type ExactSegment<S extends string> = IsOpen<S> extends true ? ':' : S

/** All patterns that a URL's path may match, as any segment may be the value of a parameter: `/users/me` is `/users/:` too. */
type PatternsOf<U> = U extends `/${infer First}/${infer Rest}`
  ? `/${ExactSegment<First> | ':'}${PatternsOf<`/${Rest}`>}`
  : U extends `/${infer Last}`
    ? `/${ExactSegment<Last> | ':'}`
    : ''

/** Whether a segment's type has more than one value: a record with such keys has an index signature. */
type IsOpen<S extends string> = Record<never, never> extends Record<S, 1> ? true : false

type WithoutQuery<U> = U extends `${infer Path}?${string}` ? Path : U

/** The operation of a path or a URL; never if the type of the URL does not tell which. A literal segment wins over a parameter. */
export type OperationAt<M extends Method, U extends string> = `${M} ${U}` extends keyof ByPath
  ? ByPath[`${M} ${U}`]
  : `${M} ${PatternOf<WithoutQuery<U>>}` extends infer K extends keyof ByPattern
    ? ByPattern[K]
    : ByPattern[Extract<`${M} ${PatternsOf<WithoutQuery<U>>}`, keyof ByPattern>]

type Models<O> =
  O extends ListedOperation<infer _M, infer _P, infer B, infer Q, infer R> ? { body: B; query: Q; returns: R } : never

/**
 * What an operation answers to this URL and body. Where these choose the form of the answer, it is that form; where their
 * types leave the choice open, it is any of them.
 */
export type AnswerOf<O, U extends string, B = unknown> =
  Models<O> extends { returns: infer R extends TSchema }
    ? R extends ByQuery<string, TSchema, AnswerForms>
      ? FormAt<R, U>
      : R extends ByBody<infer Usual, infer Others>
        ? FormOf<FieldIn<B, keyof Others & string>, Usual, Others>
        : WireValueOf<R>
    : never

/** The form that a URL's query chooses, which may have forms itself; any of them if the value of a parameter is not known. */
type FormAt<R extends TSchema, U extends string> =
  R extends ByQuery<infer Name, infer Usual, infer Others>
    ? IsOpen<ValueIn<U, Name>> extends true
      ? WireValueOf<Usual | Others[keyof Others]>
      : FormAt<ValueIn<U, Name> extends keyof Others ? Others[ValueIn<U, Name>] : Usual, U>
    : WireValueOf<R>

/** The form that this word chooses; any of them if the word is not known. */
type FormOf<Word extends string, Usual extends TSchema, Others extends AnswerForms> =
  IsOpen<Word> extends true
    ? WireValueOf<Usual | Others[keyof Others]>
    : WireValueOf<Word extends keyof Others ? Others[Word] : Usual>

/** The value of a parameter in a URL's query; empty if the query does not have the parameter. */
type ValueIn<U extends string, Name extends string> = U extends `${string}?${infer Query}`
  ? string extends Query
    ? string
    : `&${Query}` extends `${string}&${Name}=${infer Rest}`
      ? Rest extends `${infer Value}&${string}`
        ? Value
        : Rest
      : ''
  : ''

/** Which of these fields a body has; empty if it has no such field. */
type FieldIn<B, Name extends string> = unknown extends B
  ? string
  : B extends unknown
    ? string extends keyof B
      ? string
      : [Extract<keyof B, Name>] extends [never]
        ? ''
        : Extract<keyof B, Name>
    : never

type BodyOf<O> = Models<O> extends { body: infer B extends TSchema } ? WireValueOf<B> : undefined
type QueryOf<O> = Models<O> extends { query: infer Q extends TSchema } ? WireValueOf<Q> : undefined

/** The names of a path's parameters. */
type ParamNames<P> = P extends `${string}/:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParamNames<`/${More}`>
    : Rest
  : never

/** A field of the options; it may be left out if it may be empty. */
type OptionField<K extends string, T> = [T] extends [undefined]
  ? { [N in K]?: undefined }
  : Record<never, never> extends T
    ? { [N in K]?: T }
    : { [N in K]: T }

/** The options of every call. */
export type CallOptions = {
  /** The service performs the same write with the same key once (docs/contract.md, "Repeating a write"). */
  idempotencyKey?: string
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** The query, except a parameter that chooses the form of the answer: the URL has that one. */
type OpenQueryOf<O> =
  Models<O> extends { returns: ByQuery<infer Name, infer _U, infer _O> } ? Omit<QueryOf<O>, Name> : QueryOf<O>

/** The options of a call: parameters by name, the query (optional in a URL, which may have it already), and the body. */
type OptionsOf<O, U extends string> = OptionField<'params', { [N in ParamNames<WithoutQuery<U>>]: string | number }> &
  ([ParamNames<WithoutQuery<U>>] extends [never]
    ? Partial<OptionField<'query', OpenQueryOf<O>>>
    : OptionField<'query', OpenQueryOf<O>>) &
  OptionField<'body', BodyOf<O>> &
  CallOptions

/** The arguments after the path. If no operation has the path, no call passes the type-check. */
export type Rest<M extends Method, U extends string> = [OperationAt<M, U>] extends [never]
  ? [problem: 'No operation has this method and path.']
  : Record<never, never> extends OptionsOf<OperationAt<M, U>, U>
    ? [options?: OptionsOf<OperationAt<M, U>, U>]
    : [options: OptionsOf<OperationAt<M, U>, U>]
