/**
 * Passwords of staff: how they are kept, compared, and which are too easily guessed (docs/decisions.md, "Accounts").
 */

import { refuse } from '#kernel/problem'
import { text } from '#wire/words'
import stems from '../../../data/passwords/stems.txt' with { type: 'text' }

/** A password that is to be set. */
export const newPassword = () => text(10, 200)
/** A password that is to be compared. */
export const givenPassword = () => text(1, 200)

const COST = { algorithm: 'argon2id', memoryCost: 19_456, timeCost: 2 } as const

// Compared where there is no password, so that an unknown e-mail address takes as long as a wrong password.
const NOBODY =
  '$argon2id$v=19$m=19456,t=2,p=1$G0vc63FdQDPZvuisKdDurTumkvi8ZqBIhE1AvSl6PU8$m7mTpCkiFAxwJZBdtfeJk3/kQnnvGMmCKHEQy6KsqWo'

/** The argon2id hash of a password. Takes some 25 ms and 19 MB: never call it inside a transaction. */
export const hashPassword = (password: string): Promise<string> => Bun.password.hash(password.normalize('NFKC'), COST)

/** Whether the password is the one behind the hash; as slow where there is none. */
export async function passwordFits(password: string, hash: string | null | undefined): Promise<boolean> {
  const fits = await Bun.password.verify(password.normalize('NFKC'), hash ?? NOBODY)
  return fits && typeof hash === 'string'
}

const common = new Set(stems.trim().split('\n'))
const FIGURES: Record<string, string> = { '0': 'o', '1': 'i', '3': 'e', '4': 'a', '5': 's', '7': 't', '@': 'a', $: 's' }
const RUNS = [
  '01234567890123456789',
  'abcdefghijklmnopqrstuvwxyz',
  'qwertyuiopasdfghjklzxcvbnm',
  '1q2w3e4r5t6y7u8i9o0p',
]

/** Text without digits and signs at its ends. */
const core = (text: string) => text.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')
const lettersOf = (text: string) => text.replace(/[0134570@$]/g, (sign) => FIGURES[sign] ?? sign)
const joinedUp = (text: string) => text.replace(/[^\p{L}]/gu, '')

/** The shortest piece that the text repeats, itself where it repeats none: `abcabc` is `abc`. */
const period = (text: string) => {
  const at = (text + text).indexOf(text, 1)
  return text.slice(0, at)
}

const runs = (text: string) =>
  RUNS.some((run) => run.includes(text) || [...run].reverse().join('').includes(text) || `${run}${run}`.includes(text))

/**
 * Whether a password is among the commonest, or as easily guessed: a common word with digits and signs around it, one
 * thing repeated, a run of keys, or the person's own name or address.
 * @param about the person's name and e-mail address
 */
export function isCommon(password: string, about: readonly string[] = []): boolean {
  const lower = password.normalize('NFKC').toLowerCase()
  if (/^[\d\s./:-]+$/.test(lower)) return true // a number, a date
  if (new Set(lower).size < 4 || period(lower).length <= 4 || runs(lower)) return true
  const own = about.flatMap((each) => [each, each.split('@')[0]!]).map((each) => joinedUp(each.toLowerCase()))
  const forms = [core(lower), core(lettersOf(lower)), lettersOf(core(lower))].map((form) => period(joinedUp(form)))
  return forms.some((form) => common.has(form) || own.includes(form) || (form.length > 2 && runs(form)))
}

/** Refuses (422 under `password`) what is too easily guessed. */
export function requireUncommon(password: string, about: readonly string[] = []): void {
  if (isCommon(password, about)) {
    throw refuse.invalid({ password: ['Is among the commonest passwords or too easily guessed. Choose another.'] })
  }
}
