/** Types that are derived from an operation's path and models. */
import type { Id } from '#kernel/id'
import type { TSchema, ValueOf } from '#wire/schema'

/** The names of a path's parameters. */
type Names<P> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Names<More>
    : Rest
  : never

/** Of several paths, those that lack the parameter. */
type PathsWithout<P, N> = P extends string ? (N extends Names<P> ? never : P) : never

/** The parameters of a path. Of several paths, a parameter that only some of them have may be undefined. */
export type Params<P extends string> = {
  readonly [N in Names<P>]: [PathsWithout<P, N>] extends [never] ? Id : Id | undefined
}

/** The type that a model describes; an empty object if there is no model. */
export type Model<T> = T extends TSchema ? ValueOf<T> : Record<string, never>

type Keys<T> = T extends unknown ? keyof T & string : never

/** The fields of a body, of all shapes that it may have. */
export type FieldsOf<B> = B extends TSchema ? Keys<ValueOf<B>> : never

/**
 * What `run` may return for a model: lists may be read-only, and rows may have more fields, which the response omits. The
 * last two fields exclude a promise and a `Response`, which would fit a model without required fields.
 */
export type ResultOf<R extends TSchema> = AssignableValue<ValueOf<R>> & { then?: never; arrayBuffer?: never }

type AssignableValue<T> = T extends readonly (infer Item)[]
  ? readonly AssignableValue<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: AssignableValue<T[K]> }
    : T
