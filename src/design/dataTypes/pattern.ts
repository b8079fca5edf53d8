/** Checks patterns that staff write: only those are allowed that match quickly, whatever a participant types. */

/** The longest text, in characters, for a data type with a pattern but without `maxLength`. */
export const PATTERN_LENGTH = 200
/** The most ways of matching that a pattern may have: trying them all takes a few dozen milliseconds. */
const BUDGET = 1e7

/** The pattern for matching the whole text; by Unicode characters, if the pattern is valid with the flag `u`. */
export function wholeText(pattern: string): RegExp {
  const whole = `^(?:${pattern})$`
  try {
    return new RegExp(whole, 'u')
  } catch {
    return new RegExp(whole)
  }
}

/**
 * An upper estimate of the number of ways in which a pattern can match. Each open repeat multiplies by the length of the
 * text, each alternative adds; a repeat of something that can match in several ways is exponential.
 */
function ways(pattern: string, longest: number): number {
  let at = 0

  function repeat(): [number, number] | undefined {
    const match = /^(?:[*+?]|\{(\d+)(,?)(\d*)\})\??/.exec(pattern.slice(at))
    if (!match) return undefined
    at += match[0].length
    const sign = match[0][0]
    if (sign === '*') return [0, Number.POSITIVE_INFINITY]
    if (sign === '+') return [1, Number.POSITIVE_INFINITY]
    if (sign === '?') return [0, 1]
    const from = Number(match[1])
    return [from, !match[2] ? from : match[3] ? Number(match[3]) : Number.POSITIVE_INFINITY]
  }

  function atom(): number {
    const sign = pattern[at++]
    if (sign === '(') {
      at += /^\?(?:[:=!]|<[=!]|<[^>]*>)/.exec(pattern.slice(at))?.[0].length ?? 0
      const inner = choice()
      at++
      return inner
    }
    if (sign === '[') {
      while (at < pattern.length && pattern[at] !== ']') at += pattern[at] === '\\' ? 2 : 1
      at++
    } else if (sign === '\\') at++
    return 1
  }

  function sequence(): number {
    let total = 1
    while (at < pattern.length && pattern[at] !== '|' && pattern[at] !== ')') {
      const one = atom()
      const times = repeat()
      if (!times) total *= one
      else {
        const [from, to] = times
        const most = Math.min(to, longest)
        total *= (most - Math.min(from, most) + 1) * (one > 1 ? one ** most : 1)
      }
    }
    return total
  }

  function choice(): number {
    let total = sequence()
    while (pattern[at] === '|') {
      at++
      total += sequence()
    }
    return total
  }

  return choice()
}

/** The problem of a pattern for texts of at most `longest` characters; undefined if there is none. */
export function patternProblem(pattern: string, longest: number): string | undefined {
  if (pattern.length > 200) return 'Must be at most 200 characters.'
  try {
    new RegExp(pattern) // Alone, because `a)(b` is invalid but would be valid inside the brackets of `wholeText`.
    wholeText(pattern)
  } catch {
    return 'Must be a valid regular expression.'
  }
  if (ways(pattern, longest) > BUDGET) {
    return `Could take too long to check on a text of ${longest} characters: use fewer open repeats (*, +), none inside another, or set a smaller maxLength.`
  }
  return undefined
}
