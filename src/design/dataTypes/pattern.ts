/**
 * Checks texts against patterns that staff write. The matcher's time is linear in the length of the text, whatever the
 * pattern: at most `steps` of the pattern for each character (docs/data-types.md, "Patterns").
 */

import { codedReason } from '#design/dataTypes/grammar/codedReason'
import { matcherOf } from '#kernel/matcher'
import type { CodedReason } from '#kernel/refusals/reason'
import { translate } from './patternSyntax'

/** The longest text, in characters, for a data type with a pattern but without `maxLength`. */
export const PATTERN_LENGTH = 200
/** The most steps for each character of a text. */
const MOST_STEPS = 1_000
/** The most steps for one text. One takes at most 0.2 µs: see docs/performance.md, "Patterns". */
const TEXT_STEPS = 1_000_000
/** The most steps for all answers of one submission. */
export const SUBMISSION_STEPS = 5_000_000

const TOO_MANY_STEPS = codedReason('patternTooManySteps', { most: MOST_STEPS })

/** `steps`: the greatest number of steps for each character of a text. */
export type Pattern = { matches(text: string): boolean; steps: number }
type CompiledPattern = Pattern | { problem: CodedReason }

const syntaxProblems: [text: RegExp, problem: CodedReason][] = [
  [/repeat count/, codedReason('patternRepeatNumbers')],
  [/repetition operator|missing argument/, codedReason('patternRepeatsNothing', { repeats: '*, +, ?, {…}' })],
  [/missing closing \)|unexpected \)/, codedReason('patternHalfBracket')],
  [/expression (?:nests too deeply|too large)/, codedReason('patternTooLarge')],
]

function compile(pattern: string): CompiledPattern {
  const translation = translate(pattern)
  if ('problem' in translation) return translation
  if (translation.size > 4 * MOST_STEPS) return { problem: TOO_MANY_STEPS }
  try {
    const matcher = matcherOf(translation.re2)
    const steps = matcher.programSize()
    if (steps > MOST_STEPS) return { problem: TOO_MANY_STEPS }
    return { matches: (text) => matcher.matches(text), steps }
  } catch (error) {
    const { message } = error as Error
    return {
      problem: syntaxProblems.find(([text]) => text.test(message))?.[1] ?? codedReason('patternNotValid'),
    }
  }
}

/** Patterns that were compiled, and the steps of all of them: what they take in memory grows with both. */
const compiled = new Map<string, CompiledPattern>()
let compiledSteps = 0
const MOST_COMPILED = 2_000
const MOST_COMPILED_STEPS = 50_000

function cachedPattern(pattern: string): CompiledPattern {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= MOST_COMPILED || compiledSteps >= MOST_COMPILED_STEPS) {
    compiled.clear()
    compiledSteps = 0
  }
  const compilation = compile(pattern)
  compiledSteps += 'problem' in compilation ? 0 : compilation.steps
  compiled.set(pattern, compilation)
  return compilation
}

/** The pattern for matching a whole text; undefined if it cannot be compiled, as one stored by an older version may be. */
export function patternOf(pattern: string): Pattern | undefined {
  const compilation = cachedPattern(pattern)
  return 'problem' in compilation ? undefined : compilation
}

/** The problem of a pattern for texts of at most `longest` characters; undefined if there is none. */
export function patternProblem(pattern: string, longest: number): CodedReason | undefined {
  if (pattern.length > 200) return codedReason('tooLong', { count: 200 })
  const compilation = cachedPattern(pattern)
  if ('problem' in compilation) return compilation.problem
  const { steps } = compilation
  if (steps * longest <= TEXT_STEPS) return undefined
  return codedReason('patternTooSlow', { longest, most: Math.floor(TEXT_STEPS / steps) })
}
