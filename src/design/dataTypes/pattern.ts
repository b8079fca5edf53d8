/**
 * Checks texts against patterns that staff write. The matcher's time is linear in the length of the text, whatever the
 * pattern: at most `steps` of the pattern for each character (docs/data-types.md, "Patterns").
 */
import { RE2JS } from 're2js'
import { translate } from './patternSyntax'

/** The longest text, in characters, for a data type with a pattern but without `maxLength`. */
export const PATTERN_LENGTH = 200
/** The most steps for each character of a text. */
const MOST_STEPS = 1_000
/** The most steps for one text. One takes at most 0.2 µs: see docs/performance.md, "Patterns". */
const TEXT_STEPS = 1_000_000
/** The most steps for all answers of one submission. */
export const SUBMISSION_STEPS = 5_000_000

/** `steps`: the greatest number of steps for each character of a text. */
export type Pattern = { fits(text: string): boolean; steps: number }
type Compiled = Pattern | { problem: string }

const syntaxProblems: [text: RegExp, problem: string][] = [
  [
    /repeat count/,
    'Has a repeat whose numbers are in the wrong order, or more than 1000 alone or multiplied by the repeats around it.',
  ],
  [/repetition operator|missing argument/, 'Has a repeat (*, +, ?, {…}) with nothing before it that can repeat.'],
  [/missing closing \)|unexpected \)/, 'Has a bracket, ( or ), without its other half.'],
  [/expression (?:nests too deeply|too large)/, 'Is too large.'],
]

function compile(pattern: string): Compiled {
  const translation = translate(pattern)
  if ('problem' in translation) return translation
  try {
    const matcher = RE2JS.compile(translation.re2)
    return { fits: (text) => matcher.matches(text), steps: matcher.programSize() }
  } catch (error) {
    const { message } = error as Error
    return {
      problem: syntaxProblems.find(([text]) => text.test(message))?.[1] ?? 'Must be a valid regular expression.',
    }
  }
}

const compiled = new Map<string, Compiled>()
const MOST_COMPILED = 500

function compiledOnce(pattern: string): Compiled {
  const known = compiled.get(pattern)
  if (known) return known
  if (compiled.size >= MOST_COMPILED) compiled.clear()
  const made = compile(pattern)
  compiled.set(pattern, made)
  return made
}

/** The pattern for matching a whole text; undefined if it cannot be compiled, as one stored by an older version may be. */
export function patternOf(pattern: string): Pattern | undefined {
  const made = compiledOnce(pattern)
  return 'problem' in made || made.steps > MOST_STEPS ? undefined : made
}

/** The problem of a pattern for texts of at most `longest` characters; undefined if there is none. */
export function patternProblem(pattern: string, longest: number): string | undefined {
  if (pattern.length > 200) return 'Must be at most 200 characters.'
  const made = compiledOnce(pattern)
  if ('problem' in made) return made.problem
  const { steps } = made
  if (steps > MOST_STEPS)
    return `Takes ${steps} steps for each character; ${MOST_STEPS} are possible: repeat less often.`
  if (steps * longest <= TEXT_STEPS) return undefined
  return `Takes too long for a text of ${longest} characters: set maxLength to at most ${Math.floor(TEXT_STEPS / steps)}.`
}
