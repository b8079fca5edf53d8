/** Codes of options and names of columns (pure). */
import type { DataTypeSettings } from '#design/dataTypes/model'

/** The code of each option, in order. One without a code gets its number, or the next one that no other option has. */
export function codesOf(options: DataTypeSettings['options']): string[] {
  const own = (options ?? []).map(({ code }) => (code == null ? '' : String(code).trim()))
  const taken = new Set(own.map((code) => code.toLowerCase()))
  return own.map((code, place) => {
    if (code !== '') return code
    let n = place + 1
    while (taken.has(String(n))) n++
    taken.add(String(n))
    return String(n)
  })
}

/** Makes the function that makes headers, or names of files, unique, ignoring case: a second `pain` becomes `pain_2`. */
export function uniqueHeaders(): (wanted: string) => string {
  const used = new Set<string>()
  const key = (header: string) => header.normalize('NFC').toLowerCase()
  return (wanted) => {
    let header = wanted
    for (let n = 2; used.has(key(header)); n++) header = `${wanted}_${n}`
    used.add(key(header))
    return header
  }
}
