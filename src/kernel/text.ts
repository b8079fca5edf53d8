/**
 * What text may be stored: well-formed Unicode without NUL. Half of a surrogate pair has no form in UTF-8, so a database would
 * give back another text than it was given; and some of SQLite's functions read a text only up to a NUL.
 */
import { type Reason, reason } from '#kernel/refusals/reason'

/** What is wrong with a text; undefined if it can be stored. */
export function textProblem(text: string): Reason | undefined {
  if (!text.isWellFormed()) return reason('notUnicode')
  return text.includes('\0') ? reason('nul') : undefined
}

/** A text in a form that can be written into a message, whatever is wrong with it. */
export const shownText = (text: string): string => text.toWellFormed().replaceAll('\0', '\u2400')

/** A text that cannot be stored, or the name of a field: where it is, from the outside in, and what is wrong with it. */
export type TextFault = { path: string[]; problem: Reason }

/** The first `most` texts of a JSON value that cannot be stored, names of fields included. */
export function textFaults(value: unknown, most = 100): TextFault[] {
  const faults: TextFault[] = []
  const walk = (each: unknown, path: string[]): void => {
    if (faults.length >= most) return
    if (typeof each === 'string') {
      const problem = textProblem(each)
      if (problem) faults.push({ path, problem })
    } else if (typeof each === 'object' && each !== null) {
      for (const [name, inner] of Object.entries(each)) {
        const problem = textProblem(name)
        if (problem) faults.push({ path: [...path, shownText(name)], problem: reason('nameOfField', { problem }) })
        walk(inner, [...path, shownText(name)])
      }
    }
  }
  walk(value, [])
  return faults
}

/** Cuts a text to a maximum number of UTF-16 units, never between the two halves of a surrogate pair. */
export const cut = (text: string, most: number): string =>
  text.length <= most ? text : text.slice(0, /[\ud800-\udbff]/.test(text[most - 1]!) ? most - 1 : most)

/**
 * An identifier or a name in the form in which all of them are compared: without the case of any letter, and with accents in one
 * encoding. What SQLite compares without case, it does for A to Z only.
 */
export const foldId = (id: string): string => id.normalize('NFC').toLowerCase()

/** A value of `JSON.stringify` with texts as SQLite gives them back: U+FFFD in place of half of a surrogate pair. */
const wellFormedValue = (_: string, value: unknown) => (typeof value === 'string' ? value.toWellFormed() : value)

/** JSON of stored values, the same before they are stored and after. It is hashed, so it must not depend on what was lost. */
export function storedJson(values: unknown): string {
  const json = JSON.stringify(values)
  return /\\ud[89a-f]/.test(json) ? JSON.stringify(values, wellFormedValue) : json
}

/** Whether a text is a language: a BCP 47 tag in its usual form, such as `de` or `pt-BR`. */
export function isLanguage(text: string): boolean {
  if (!/^[a-z]{2,3}(-[A-Za-z0-9]{2,8}){0,3}$/.test(text)) return false
  try {
    return Intl.getCanonicalLocales(text)[0] === text
  } catch {
    return false
  }
}
