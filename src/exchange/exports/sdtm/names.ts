/** Names of qualifiers in SUPPQUAL (pure): 8 characters at most, so that the number of a further part of a long text fits too. */
import type { DomainName } from './variables'

/** The most characters of a name, and of its part before the number of a further part. */
const MOST = 8
const BASE = 5

const letterAt = (n: number): string => {
  const letter = String.fromCharCode(65 + (n % 26))
  return n < 26 ? letter : `${letterAt(Math.floor(n / 26) - 1)}${letter}`
}

/**
 * Returns a function that names qualifiers: by domain and wanted name always the same, different ones differently. No name ends with a digit, so
 * that none is another one's further part.
 * @param reserved names that are taken already
 */
export function qualifierNames(reserved: readonly (readonly [DomainName, string])[]) {
  const taken = new Set(reserved.map(([domain, name]) => `${domain} ${name}`))
  const namesByKey = new Map<string, string>()
  return (domain: DomainName, wanted: string, label: string): string => {
    const key = `${domain} ${wanted} ${label}`
    const before = namesByKey.get(key)
    if (before !== undefined) return before
    const plain = wanted.toUpperCase().replace(/[^A-Z0-9]+/g, '')
    const stem = (/^[A-Z]/.test(plain) ? plain : `Q${plain}`).slice(0, BASE)
    let name = /\d$/.test(stem) ? `${stem.slice(0, BASE - 1)}Q` : stem
    for (let n = 0; taken.has(`${domain} ${name}`); n++) {
      const end = letterAt(n)
      name = `${stem.slice(0, BASE - end.length)}${end}`
    }
    taken.add(`${domain} ${name}`)
    namesByKey.set(key, name)
    return name
  }
}

/** The name of a further part of a long text, from 1: the last characters of a long name give way to the number. */
export const partName = (name: string, part: number): string => `${name.slice(0, MOST - String(part).length)}${part}`
