/**
 * Translates patterns from the syntax of JavaScript (docs/data-types.md, "Patterns") to that of the linear-time matcher. What
 * the matcher cannot do, or would read differently, is refused with a reason.
 */

import { codedReason } from '#design/dataTypes/grammar/codedReason'
import type { CodedReason } from '#kernel/refusals/reason'

/**
 * A pattern in the matcher's syntax, or the first thing that cannot be translated. `size`: about how many steps it has, known
 * without compiling it.
 */
export type Translation = { re2: string; size: number } | { problem: CodedReason }

/** What a refusal names as examples. They hold braces, which in a sentence are placeholders. */
const CATEGORIES = { letters: '\\p{L}', capitals: '\\p{Lu}', script: '\\p{Script=Greek}' }

const controls: Readonly<Record<string, number>> = { t: 9, n: 10, v: 11, f: 12, r: 13, '0': 0 }
const categories = /^(?:C[cfno]?|L[lmotu]?|M[cen]?|N[dlo]?|P[cdefios]?|S[ckmo]?|Z[lps]?)$/
const ANY = '\\x{0}-\\x{10ffff}'
const LINE_ENDS = '\\x{a}\\x{d}\\x{2028}\\x{2029}'
/** The spaces of JavaScript, which are more than those of the matcher, and all other characters. */
const SPACE =
  '\\x{9}-\\x{d}\\x{20}\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}\\x{3000}\\x{feff}'
const NOT_SPACE =
  '\\x{0}-\\x{8}\\x{e}-\\x{1f}\\x{21}-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}\\x{ff00}-\\x{10ffff}'

/** A set of characters as it is written between square brackets; `code` if it is a single one. */
type CharacterSet = { set: string; code?: number }

const single = (code: number): CharacterSet => ({ set: `\\x{${code.toString(16)}}`, code })

const ESCAPE =
  /\\(?:u\{([\da-fA-F]+)\}|u([dD][89abAB][\da-fA-F]{2})\\u([dD][c-fC-F][\da-fA-F]{2})|(?:u([\da-fA-F]{4})|x([\da-fA-F]{2}))|c([a-zA-Z])|([pP])\{(?:(Script|sc)=)?(\w+)\}|([1-9]|0\d|k<)|(.|\n))/suy

/** Translates a pattern without checking its brackets and repeats: the matcher does. */
export function translate(pattern: string): Translation {
  let at = 0
  let problem: CodedReason | undefined
  const refuse = (reason: CodedReason): CharacterSet => {
    problem ??= reason
    return single(0)
  }
  /** Returns the match of a sticky expression at this place, and moves past it. */
  const take = (expression: RegExp): RegExpExecArray | undefined => {
    expression.lastIndex = at
    const found = expression.exec(pattern) ?? undefined
    at += found?.[0].length ?? 0
    return found
  }
  const next = (): string => take(/./suy)![0]

  function ofCode(code: number, whole: string): CharacterSet {
    const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
    return isCharacter ? single(code) : refuse(codedReason('patternNoCharacter', { text: whole }))
  }

  function property(whole: string, sign: string, script: string | undefined, name: string): CharacterSet {
    if (!script && !categories.test(name)) return refuse(codedReason('patternCategory', { ...CATEGORIES, text: whole }))
    return { set: `\\${sign}{${name}}` }
  }

  function escaped(): CharacterSet {
    const found = take(ESCAPE)
    if (!found) return refuse(codedReason('patternEndsWithEscape'))
    const [whole, braced, high, low, four, two, control, sign, script, name, reference, plain = ''] = found
    if (high && low) return single(Number.parseInt(high, 16) * 0x400 + Number.parseInt(low, 16) - 0x35fdc00)
    const hex = braced ?? four ?? two
    if (hex !== undefined) return ofCode(Number.parseInt(hex, 16), whole)
    if (control) return single(control.charCodeAt(0) % 32)
    if (sign) return property(whole, sign, script, name!)
    if (reference) return refuse(codedReason('patternBackReference'))
    if (/[dDwW]/.test(plain)) return { set: whole }
    if (plain === 's' || plain === 'S') return { set: plain === 's' ? SPACE : NOT_SPACE }
    if (Object.hasOwn(controls, plain)) return single(controls[plain]!)
    if (/[A-Za-z\d]/.test(plain)) return refuse(codedReason('patternNoMeaning', { text: whole }))
    return single(plain.codePointAt(0)!)
  }

  function member(): CharacterSet {
    if (take(/\\b/y)) return single(8)
    if (take(/\[(?=[:.=]\^?\w+[:.=]\])/y)) return refuse(codedReason('patternNamedSet', { letters: '\\p{L}' }))
    return pattern[at] === '\\' ? escaped() : single(next().codePointAt(0)!)
  }

  function set(): string {
    const isNegated = take(/\^/y) !== undefined
    let members = ''
    while (at < pattern.length && pattern[at] !== ']') {
      const from = member()
      const isRange = take(/-(?!\]|$)/y) !== undefined
      const to = isRange ? member() : undefined
      if (from.code !== undefined && to?.code !== undefined) {
        const range = String.fromCodePoint(from.code, 45, to.code)
        if (from.code > to.code) refuse(codedReason('patternRangeOrder', { range }))
        members += `${from.set}-${to.set}`
      } else members += from.set + (to ? `\\-${to.set}` : '')
    }
    if (!take(/\]/y)) refuse(codedReason('patternSetNotClosed'))
    if (members) return `[${isNegated ? '^' : ''}${members}]`
    return isNegated ? `[${ANY}]` : `[^${ANY}]`
  }

  /** The sizes of the open groups, the whole pattern first, and of what a repeat would repeat. */
  const sizes = [0]
  let last = 0
  const grow = (size: number) => {
    sizes.push(sizes.pop()! + size)
    last = size
  }

  function group(): string {
    sizes.push(0)
    if (take(/\?<?[=!]/y)) refuse(codedReason('patternLookAround', { example: 'A\\d{3}|B\\d{4}' }))
    else if (!take(/\?:|\?<[\p{L}_$][\p{L}\p{N}_$]*>/uy) && take(/\?/y)) refuse(codedReason('patternFlags'))
    return '(?:'
  }

  function part(): string {
    const assertion = take(/\\[bB]/y)
    if (assertion) {
      grow(1)
      return assertion[0]
    }
    const repeat = take(/[*+?]\??|\{(\d+)(?:,(\d*))?\}\??/y)
    if (repeat) {
      const [whole, least = '1', most] = repeat
      grow(last * Math.max(0, Number(most || least) - 1) + 1)
      return whole
    }
    if (pattern[at] === ')') {
      at++
      if (sizes.length > 1) grow(sizes.pop()!)
      return ')'
    }
    if (pattern[at] !== '(') grow(1)
    if (pattern[at] === '\\') return `[${escaped().set}]`
    const sign = next()
    if (sign === '[') return set()
    if (sign === '(') return group()
    if (sign === '.') return `[^${LINE_ENDS}]`
    return /[|^$]/.test(sign) ? sign : single(sign.codePointAt(0)!).set
  }

  let re2 = ''
  while (at < pattern.length && problem === undefined) re2 += part()
  return problem === undefined ? { re2, size: sizes[0]! } : { problem }
}
