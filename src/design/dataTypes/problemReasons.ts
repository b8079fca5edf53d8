/** The sentences of what is wrong with expressions and patterns. For the server only: browsers have no catalogue of refusals. */
import { type CodedReason, type Reason, reason, reasonWith } from '#kernel/refusals/reason'
import type { ExpressionProblem } from './expressions'
import { patternProblem } from './pattern'

/** The reason with its sentence. */
export const reasonOf = ({ code, params }: CodedReason): Reason => reasonWith(code, params)

/** Why an expression cannot be used. */
export function expressionReason({ problem, at }: ExpressionProblem): Reason {
  if (problem.code === 'tooLong') return reasonOf(problem)
  const inner = { problem: reasonOf(problem) }
  return at === undefined
    ? reason('expressionUnusable', inner)
    : reason('expressionUnusableAt', { ...inner, at: at + 1 })
}

/** Why a pattern cannot be used for texts of at most `longest` characters; undefined if it can. */
export function patternReason(pattern: string, longest: number): Reason | undefined {
  const problem = patternProblem(pattern, longest)
  return problem && reasonOf(problem)
}
