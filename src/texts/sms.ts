/** How many parts a text needs as an SMS (3GPP TS 23.038). */

const BASIC =
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà'
const EXTENDED = '^{}\\[~]|€\f'

/** The length of a text in the GSM alphabet; undefined if a character is not in it. */
function gsmLength(text: string): number | undefined {
  let length = 0
  for (const character of text) {
    if (BASIC.includes(character)) length++
    else if (EXTENDED.includes(character)) length += 2
    else return undefined
  }
  return length
}

/** The number of parts in which a phone network sends the text. */
export function smsParts(text: string): number {
  const gsm = gsmLength(text)
  const [length, one, each] = gsm === undefined ? [text.length, 70, 67] : [gsm, 160, 153]
  return length <= one ? 1 : Math.ceil(length / each)
}
