/** Digits as the keyboards of other scripts write them: a person types a code or a number in the digits of their own. */

/** The zero of each script: Arabic, Persian and Urdu, Devanagari. */
const ZEROS = [0x660, 0x6f0, 0x966]

/** The text with plain digits in place of those of other scripts. */
export const plainDigits = (text: string): string =>
  text.replace(/[\u0660-\u0669\u06f0-\u06f9\u0966-\u096f]/g, (digit) => {
    const code = digit.charCodeAt(0)
    const zero = ZEROS.findLast((each) => each <= code) ?? code
    return String(code - zero)
  })

/** What somebody typed or pasted as a code: plain digits, without spaces, hyphens and the invisible marks of a text in Arabic. */
export const normalizeCode = (text: string): string =>
  plainDigits(text.normalize('NFKC')).replace(/[\s\p{Pd}\p{Cf}]+/gu, '')
