/** What the types of an operation's fields follow from: its path and its models. */
import type { Id } from '#kernel/id'
import type { Of, TSchema } from '#wire/words'

/** The names of a path's parameters. */
type Names<P> = P extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | Names<More>
    : Rest
  : never

/** Those of several paths that lack the parameter. */
type Lacking<P, N> = P extends string ? (N extends Names<P> ? never : P) : never

/** The parameters of a path. Of several paths, what only some of them have may be undefined. */
export type Params<P extends string> = {
  readonly [N in Names<P>]: [Lacking<P, N>] extends [never] ? Id : Id | undefined
}

/** What a model describes; without one there is nothing. */
export type Model<T> = T extends TSchema ? Of<T> : Record<string, never>

type Keys<T> = T extends unknown ? keyof T & string : never

/** The fields of a body, of every form that it may have. */
export type FieldsOf<B> = B extends TSchema ? Keys<Of<B>> : never

/** What may be answered for a model: lists may be read-only, and rows may have more fields, which are left out. */
export type ResultOf<R extends TSchema> = Loose<Of<R>>

type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { readonly [K in keyof T]: Loose<T[K]> }
    : T
