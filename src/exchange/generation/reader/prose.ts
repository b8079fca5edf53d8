/** Whole sentences such as “A daily diary for 14 days with pain from 0 to 10, sleep (good, fair, poor) and comments.” */
import { split } from './choices'

/** A form that a sentence asks for: its name, what is said of it, and the questions it lists. */
export type Asked = { name: string; sentence: string; questions: string[] }

const NOUN =
  '(?:diary|diaries|questionnaire|survey|visit|form|log|assessment|check-?in|interview|check-?up|follow[- ]?up|quiz|report|screening)'
const FORM = new RegExp(
  `\\b(?:(?:an?|the|one|then|and|with|create|make|build|add|include|including|plus|have|has)\\s+)*((?:[a-z][\\w-]*\\s+|\\d+-(?:week|day|month)\\s+){0,3}?${NOUN}(?:\\s+${NOUN})?)\\b(?:\\s+(\\d+)(?!\\d|\\s*(?:weeks?|days?|months?|hours?|times?|years?)))?`,
  'i',
)
const LISTING =
  /\b(?:with|asking(?: (?:about|for))?|that asks?(?: (?:about|for))?|asks?(?: (?:about|for))?|including|includes|containing|contains|collecting|collects?|recording|records?|measuring|measures?|covering|covers|about|on|for|which asks?(?: (?:about|for))?|consisting of)\b:?\s+(?!\d+ (?:day|week|month|visit|cycle)|(?:one|two|three|four|six|eight|ten|twelve) (?:day|week|month)|each |every )/i
const LEADING =
  /^(?:an?|the|one|then|and|with|create|make|build|add|include|including|plus|please|me|us|have|has|is|will|also|there|of|short|simple|brief|study|trial)\s+/i

export const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+(?=[\p{Lu}"“(\d])/u)
    .map((each) => each.trim())
    .filter(Boolean)

/** The forms that a sentence asks for, split where one ends and the next begins. */
export function formsIn(sentence: string): Asked[] {
  const pieces = sentence.split(
    new RegExp(
      `(?:,|;)?\\s+(?:and|plus|followed by|then|as well as)\\s+(?=(?:then\\s+)?(?:an?|the|one)\\s+(?:[\\w-]+\\s+){0,4}${NOUN}\\b)|;\\s+|,\\s+(?=(?:an?|the|one)\\s+(?:[\\w-]+\\s+){0,4}${NOUN}\\b)`,
      'i',
    ),
  )
  return pieces.flatMap((piece) => {
    const found = FORM.exec(piece)
    if (!found) return []
    let name = found[1]!
    for (let before = ''; before !== name; ) {
      before = name
      name = name.replace(LEADING, '')
    }
    const rest = piece.slice(found.index + found[0].length)
    const listing = LISTING.exec(rest) ?? /^\s*:\s*/.exec(rest)
    const listed = listing ? rest.slice(listing.index + listing[0].length) : ''
    const number = found[2] ? ` ${found[2]}` : ''
    return [{ name: capital(name) + number, sentence: piece, questions: listed ? listOf(listed) : [] }]
  })
}

/** The entries of a list within a sentence. */
export const listOf = (text: string): string[] =>
  split(
    text.replace(/[.!]\s*$/, ''),
    /\s*[,;]\s*(?:and\s+|or\s+)?(?:also\s+)?|\s+and\s+(?!\d)|\s+as well as\s+|\s+plus\s+/y,
  )
    .map((part) =>
      capital(
        part
          .replace(/^(?:an?|the|their|your|his|her|also|questions? (?:about|on)|asks?(?: about| for)?|about)\s+/i, '')
          .trim(),
      ),
    )
    .filter((part) => /\p{L}{2}/u.test(part))

export const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)
