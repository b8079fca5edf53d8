/** E-mail addresses and phone numbers that a code can be sent to, and how they are written. */
import { domainToASCII, domainToUnicode } from 'node:url'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'

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
/** Invisible characters: marks of direction, soft hyphens, variants of a letter, fillers. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}]/gu

/**
 * An e-mail address as it is compared: one mailbox is one text, also if its domain is written in Punycode, in letters of another width
 * or with separate accents, and without invisible characters. Undefined if the text is not an e-mail address.
 */
export function parseEmail(entered: string): string | undefined {
  const visible = entered.trim().replace(INVISIBLE, '')
  const at = visible.lastIndexOf('@')
  const [local, domain] = [visible.slice(0, at), visible.slice(at + 1)]
  if (at < 1 || !LOCAL_PART.test(local) || !DOMAIN.test(domain)) return undefined
  const known = domainToUnicode(domainToASCII(domain))
  const email = `${local.normalize('NFC').toLowerCase()}@${known}`
  return /^[^.]+(\.[^.]+)+$/.test(known) && email.length <= LONGEST ? email : undefined
}

/** An address in the form in which it is compared and stored; undefined if the text is not an address. The numbering plans are large: they are loaded on first use. */
export async function parseAddress(method: Method, entered: string): Promise<string | undefined> {
  if (method === 'email') return parseEmail(entered)
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const number = parsePhoneNumberFromString(entered)
  return number?.isPossible() ? number.number : undefined
}

/** The address in its stored form. Refuses (422, `badEmail` or `badPhone`) a text that is not an address. @param field the field of the body that has it */
export async function requireAddress(
  { method, address }: { method: Method; address: string },
  field = 'address',
): Promise<string> {
  const found = await parseAddress(method, address)
  if (found !== undefined) return found
  const [code, problem] =
    method === 'email' ? ['badEmail', reason('notEmail')] : (['badPhone', reason('notPhone')] as const)
  throw refuse.invalid({ [field]: [problem] }, 'json', undefined, { code })
}
