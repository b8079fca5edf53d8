/** Recognizes passwords that are too easy to guess (docs/decisions.md, "Accounts"). */

import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import stems from '../../../data/passwords/stems.txt' with { type: 'text' }

const common = new Set(stems.trim().split('\n'))
/** The letters that digits and signs replace, as in `p4ssw0rd`. */
const LETTERS: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' }
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** The text without digits and signs at its ends. */
const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
const lettersOf = (text: string) => text.replace(/[0134570@$]/g, (sign) => LETTERS[sign] ?? sign)
const onlyLetters = (text: string) => text.replace(/[^\p{L}]/gu, '')

/** The shortest piece that makes up the text by repetition: `abc` for `abcabc`; the text itself if nothing repeats. */
const period = (text: string) => {
  const at = (text + text).indexOf(text, 1)
  return text.slice(0, at)
}

const isRun = (text: string) =>
  RUNS.some((run) => run.includes(text) || [...run].reverse().join('').includes(text) || `${run}${run}`.includes(text))

/**
 * Whether a password is one of the most common, or as easy to guess: a common word with digits and signs around it, one
 * short piece repeated, a run of keys, or the person's own name or address, or a part of these.
 * @param about the person's name and e-mail address
 */
export function isCommon(password: string, about: readonly string[] = []): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  if (/^[\d\s./:-]+$/.test(lower)) return true // a number, a date
  if (new Set(lower).size < 4 || period(lower).length <= 4 || isRun(lower)) return true
  // Without the empty text: a password of digits and signs has no letters either.
  const own = about
    .flatMap((each) => [each, each.split('@')[0]!, ...each.split(/[\s@._-]+/)])
    .map((each) => onlyLetters(each.toLowerCase()))
    .filter(Boolean)
  const forms = [core(lower), core(lettersOf(lower)), lettersOf(core(lower))].map((form) => period(onlyLetters(form)))
  return forms.some((form) => common.has(form) || own.includes(form) || (form.length > 2 && isRun(form)))
}

/** Refuses (422 under `password`) a password that is too easy to guess. @param about the person's name and e-mail address */
export function requireUncommon(password: string, about: readonly string[] = []): void {
  if (isCommon(password, about)) {
    throw refuse.invalid({ password: [reason('commonPassword')] })
  }
}
