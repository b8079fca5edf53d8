/** Operations as a server offers them: method and path are known from the start, the rest is loaded at the first request. */
import type { BodyFields } from '#wire/check'
import type { AnyOperation } from './operation'

export type LoadedOperation = {
  op: AnyOperation
  /** What its body may carry besides the fields that it sets. */
  fields: BodyFields
}

export type OfferedOperation = Pick<AnyOperation, 'method' | 'path'> & {
  /** Loads the module that defines it, and those that this imports. Rejects if that fails, which is a defect. Loaded once, it is at hand. */
  load(): LoadedOperation | Promise<LoadedOperation>
}

/** Loads all of them, for what needs them together. */
export const loadOperations = async (offered: readonly OfferedOperation[]): Promise<AnyOperation[]> =>
  (await Promise.all(offered.map(({ load }) => load()))).map(({ op }) => op)
