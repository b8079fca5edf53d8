/**
 * Why an expression or a pattern cannot be used, without the sentence: browsers read them too, and have no catalogue of refusals.
 * `reasonOf` in `problemReasons.ts` adds the sentence.
 */
import type { Code, CodedReason, ParamsAfter } from '#kernel/refusals/reason'

export const codedReason = <C extends Code>(code: C, ...[params]: ParamsAfter[C]): CodedReason =>
  params === undefined ? { code } : { code, params: { ...params } }

/** An error that ends the reading of an expression. */
export const readingError = <C extends Code>(code: C, ...given: ParamsAfter[C]): Error =>
  Object.assign(new Error(code), { problem: codedReason(code, ...given) })

/** The problem of such an error. @throws any other error */
export function problemIn(error: unknown): CodedReason {
  if (error instanceof Error && 'problem' in error) return error.problem as CodedReason
  throw error
}
