/** E-mail addresses and phone numbers that a code can be sent to, and how they are written. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { refuse } from '#kernel/problem'

export type Method = 'email' | 'phone' | 'whatsapp'

/** The channel of the outbox that reaches an address. */
export const channelOf = { email: 'email', phone: 'sms', whatsapp: 'whatsapp' } as const satisfies Record<
  Method,
  string
>

/** Without what separates addresses in a header, and what encloses comments. */
const LOCAL_PART = /^[^\s\p{Cc}@<>()[\]\\,;:"]+$/u
/** Without what has a meaning of its own in a URL, by whose rules domains are compared. */
const DOMAIN = /^[^\s\p{Cc}@<>()[\]\\,;:"/?#%]+$/u
const LONGEST = 200
/** Characters that nobody sees: marks of direction, soft hyphens, variants of a letter, fillers. */
const UNSEEN = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * An e-mail address as it is compared: one mailbox is one text, also if its domain is written in Punycode, in letters of another width
 * or with separate accents, and without characters that nobody sees. Undefined if it is none.
 */
export function mailboxOf(entered: string): string | undefined {
  const written = entered.trim().replace(UNSEEN, '')
  const at = written.lastIndexOf('@')
  const [local, domain] = [written.slice(0, at), written.slice(at + 1)]
  if (at < 1 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined
  const known = domainToUnicode(domainToASCII(domain))
  const email = `${local.normalize('NFC').toLowerCase()}@${known}`
  return /^[^.]+(\.[^.]+)+$/.test(known) && email.length <= LONGEST ? email : undefined
}

/** An address in the form in which it is compared and stored; undefined if it is none. The numbering plans are large: they are loaded on first use. */
export async function addressOf(method: Method, entered: string): Promise<string | undefined> {
  if (method === 'email') return mailboxOf(entered)
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const number = parsePhoneNumberFromString(entered)
  return number?.isPossible() ? number.number : undefined
}

/** The address in its stored form. Refuses (422, `badEmail` or `badPhone`) what is none. @param field the field of the body that has it */
export async function addressIn(
  { method, address }: { method: Method; address: string },
  field = 'address',
): Promise<string> {
  const found = await addressOf(method, address)
  if (found !== undefined) return found
  const [code, problem] =
    method === 'email'
      ? ['badEmail', 'Must be an e-mail address.']
      : ['badPhone', 'Must be a telephone number with its country code, such as +44 7700 900123.']
  throw refuse.invalid({ [field]: [problem] }, 'json', undefined, { code })
}
