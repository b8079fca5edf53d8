/** Names of variables that programs for statistics accept. Pure rules: the same list of wanted names gives the same names. */

/** What a program allows as the name of a variable. */
export type NameRule = {
  /** What the first character may be. */
  first: RegExp
  /** What the characters after it may be. Others become an underscore. */
  other: RegExp
  /** Put before a name whose first character is not allowed, or which would be empty. */
  prefix: string
  /** The longest name, in `unit`. */
  most: number
  unit: 'bytes' | 'characters'
  /** Words that are no names, in lower case. */
  reserved: ReadonlySet<string>
  /** Other texts that are no names, such as those that end with a full stop. */
  refused?: RegExp
  /** Writes letters with accents as plain letters, because the program knows ASCII only. */
  isAscii?: boolean
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '))

/** IBM SPSS Statistics: 64 bytes of UTF-8. */
export const SPSS_NAMES: NameRule = {
  first: /[\p{L}]/u,
  other: /[\p{L}\p{Mn}\p{Mc}\p{Nd}_.]/u,
  prefix: 'v_',
  most: 64,
  unit: 'bytes',
  reserved: words('all and by eq ge gt le lt ne not or to with'),
  refused: /[._]$/, // A full stop would end the command; an underscore is the mark of variables that SPSS makes by itself.
}

/** Stata 14 and later: 32 Unicode characters. A name with `_` in front would be one of Stata's own. */
export const STATA_NAMES: NameRule = {
  first: /\p{L}/u,
  other: /[\p{L}\p{Nd}_]/u,
  prefix: 'v_',
  most: 32,
  unit: 'characters',
  reserved: words(
    'alias byte double float if in int long strl using with _all _b _coef _cons _n _pi _pred _rc _skip _r _se _bykey',
  ),
  refused: /^str\d+$/i,
}

/** SAS with VALIDVARNAME=V7, which every version and procedure accepts: 32 letters of ASCII, digits and underscores. */
export const SAS_NAMES: NameRule = {
  first: /[A-Za-z]/,
  other: /[A-Za-z0-9_]/,
  prefix: 'v_',
  most: 32,
  unit: 'bytes',
  reserved: words('and eq ge gt in le lt ne not or'),
  isAscii: true,
}

/** R: syntactic names, which need no backticks. Letters are those of any language. */
export const R_NAMES: NameRule = {
  first: /\p{L}/u,
  other: /[\p{L}\p{Nd}_.]/u,
  prefix: 'v_',
  most: 255,
  unit: 'bytes',
  reserved: words(
    'if else repeat while function for next break true false null inf nan na na_integer_ na_real_ na_character_ na_complex_ in',
  ),
}

/** GraphPad Prism: the title of a column is one line of any text. */
export const PRISM_NAMES: NameRule = {
  first: /[^\p{C}\p{Zl}\p{Zp}]/u,
  other: /[^\p{C}\p{Zl}\p{Zp}]/u,
  prefix: 'Column',
  most: 255,
  unit: 'characters',
  reserved: new Set(),
}

/** How names are compared: differences in case or in the form of a letter are ignored. */
const key = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** The length of a text in a unit. */
export const lengthIn = (text: string, unit: NameRule['unit']): number =>
  unit === 'bytes' ? Buffer.byteLength(text) : characters(text)

function characters(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}

/** The beginning of a text that is at most so long, cut between whole characters. */
export function beginning(text: string, most: number, unit: NameRule['unit']): string {
  if (text.length * (unit === 'bytes' ? 3 : 1) <= most) return text
  let length = 0
  let end = 0
  for (const character of text) {
    length += unit === 'bytes' ? Buffer.byteLength(character) : 1
    if (length > most) return text.slice(0, end)
    end += character.length
  }
  return text
}

const plainLetters = (text: string): string =>
  text.replaceAll('ß', 'ss').replaceAll('æ', 'ae').replaceAll('ø', 'o').normalize('NFKD').replace(/\p{M}/gu, '')

const trimmed = (name: string): string => name.replace(/[._]+$/, '')

/** Whether a program accepts a name as it is. */
export function isName(rule: NameRule, name: string): boolean {
  const [first, ...others] = name
  return (
    first !== undefined &&
    rule.first.test(first) &&
    others.every((each) => rule.other.test(each)) &&
    lengthIn(name, rule.unit) <= rule.most &&
    !rule.reserved.has(name.toLowerCase()) &&
    !rule.refused?.test(name)
  )
}

/** A name that the program accepts, as like the wanted one as it can be. It may be that of another variable. */
function acceptable(rule: NameRule, wanted: string): string {
  const spelled = rule.isAscii ? plainLetters(wanted) : wanted.toWellFormed().normalize('NFC')
  let name = [...spelled].map((each) => (rule.other.test(each) ? each : '_')).join('')
  if (!rule.first.test([...name][0] ?? '')) name = rule.prefix + name
  name = beginning(name, rule.most, rule.unit)
  if (isName(rule, name)) return name
  const short = trimmed(name)
  if (isName(rule, short)) return short
  return `${beginning(short, rule.most - 2, rule.unit)}_1`
}

/**
 * The names of variables in a program, in the order of the wanted ones, all different whatever the case. A wanted name that the program
 * accepts stays as it is, the first of several that differ only in case. Others become similar ones, numbered like `name_2`
 * where needed.
 */
export function validNames(rule: NameRule, wanted: readonly string[]): string[] {
  const used = new Set<string>()
  const kept = wanted.map((name) => {
    if (!isName(rule, name) || used.has(key(name))) return undefined
    used.add(key(name))
    return name
  })
  const numbers = new Map<string, number>()
  return wanted.map((each, index) => kept[index] ?? freshName(rule, acceptable(rule, each), used, numbers))
}

/** @param numbers the last number that each name got: without it, many names that are alike would take long */
function freshName(rule: NameRule, name: string, used: Set<string>, numbers: Map<string, number>): string {
  let candidate = name
  let number = numbers.get(name) ?? 1
  while (used.has(key(candidate))) {
    number += 1
    const suffix = `_${number}`
    candidate = beginning(name, rule.most - suffix.length, rule.unit) + suffix
  }
  numbers.set(name, number)
  used.add(key(candidate))
  return candidate
}
