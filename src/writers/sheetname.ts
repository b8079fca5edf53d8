/** Names that Excel accepts for sheets: 1 to 31 characters, none of []:*?/\, not "History", unique whatever the case. */

const LENGTH = 31
const CONTROL_OR_FORBIDDEN = /[[\]:*?/\\\p{Cc}\p{Cs}\ufffe\uffff]/gu

/** The first `length` UTF-16 units, less one where that would halve a character. */
export function cutAt(text: string, length: number): string {
  if (text.length <= length) return text
  const last = text.charCodeAt(length - 1)
  return text.slice(0, last >= 0xd800 && last <= 0xdbff ? length - 1 : length)
}

const key = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase()

/** Apostrophes at the ends would end the name inside a formula. */
const trimmed = (name: string): string => name.replace(/^[\s']+|[\s']+$/g, '')

function acceptable(name: string): string {
  const clean = trimmed(cutAt(trimmed(name.replace(CONTROL_OR_FORBIDDEN, '_')), LENGTH))
  if (clean === '') return 'Sheet'
  return key(clean) === 'history' ? `${clean}_` : clean
}

/**
 * Makes a function that gives every sheet its name: the wanted one where Excel accepts it and it is free, else the
 * nearest, numbered like "name (2)".
 */
export function sheetNamer(): (wanted: string) => string {
  const used = new Set<string>()
  return (wanted) => {
    const name = acceptable(wanted)
    let free = name
    for (let number = 2; used.has(key(free)); number++) {
      const suffix = ` (${number})`
      free = `${cutAt(name, LENGTH - suffix.length).trimEnd()}${suffix}`
    }
    used.add(key(free))
    return free
  }
}
