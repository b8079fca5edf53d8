/** Names that Excel accepts for sheets: 1 to 31 characters, none of []:*?/\, not "History", unique if case is ignored. */
import { cut } from '#kernel/text'

const LENGTH = 31
const CONTROL_OR_FORBIDDEN = /[[\]:*?/\\\p{Cc}\p{Cs}\ufffe\uffff]/gu

const key = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Without spaces and apostrophes at both ends: an apostrophe there would end the name inside a formula. */
const trimmed = (name: string): string => name.replace(/^[\s']+|[\s']+$/g, '')

function acceptable(name: string): string {
  const clean = trimmed(cut(trimmed(name.replace(CONTROL_OR_FORBIDDEN, '_')), LENGTH))
  if (clean === '') return 'Sheet'
  return key(clean) === 'history' ? `${clean}_` : clean
}

/**
 * Returns a function that returns a name for every sheet: the wanted name if Excel accepts it and it is not used yet, else a
 * similar one, numbered like "name (2)".
 */
export function sheetNamer(): (wanted: string) => string {
  const used = new Set<string>()
  return (wanted) => {
    const name = acceptable(wanted)
    let candidate = name
    for (let number = 2; used.has(key(candidate)); number++) {
      const suffix = ` (${number})`
      candidate = `${cut(name, LENGTH - suffix.length).trimEnd()}${suffix}`
    }
    used.add(key(candidate))
    return candidate
  }
}
