/** Codes: the names of data types in exports and calculations. */

/** Names from the JavaScript environment: a calculation that uses one is refused. */
export const HOST_NAMES = new Set(
  `process constructor prototype globalthis global window self document this function eval arguments require module exports
  import bun deno object reflect proxy symbol tostring valueof tolocalestring hasownproperty isprototypeof
  propertyisenumerable undefined nan infinity new delete typeof void async await yield`.split(/\s+/),
)

/** Names that `codeFrom` avoids: those of JavaScript, and reserved words of calculations, SPSS, Stata and R. */
const RESERVED = new Set([
  ...HOST_NAMES,
  ...`and or not true false null if else for in next repeat while break return function all by eq ge gt le lt ne to with
  byte double float int long str using`.split(/\s+/),
])

const LONGEST = 32

/**
 * A code made from a name: "Blood pressure (systolic)" becomes blood_pressure_systolic. See docs/data-types.md.
 * @param isTaken whether a code exists already, ignoring case; it is called with lower-case codes
 */
export function codeFrom(name: string, isTaken: (code: string) => boolean): string {
  const letters = name
    .replaceAll('ß', 'ss')
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '_')
    .replace(/^_+|_+$/g, '')
  const stem = letters === '' ? 'field' : /^[a-z]/.test(letters) ? letters : `v_${letters}`
  const cut = (length: number) => stem.slice(0, length).replace(/_+$/, '')
  const first = cut(LONGEST)
  if (!RESERVED.has(first) && !isTaken(first)) return first
  for (let n = 2; ; n++) {
    const end = `_${n}`
    const code = cut(LONGEST - end.length) + end
    if (!isTaken(code)) return code
  }
}
