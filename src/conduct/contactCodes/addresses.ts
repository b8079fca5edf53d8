/** E-mail addresses and phone numbers that a code can be sent to, and how they are written. */
import { refuse } from '#kernel/problem'

export type Method = 'email' | 'phone' | 'whatsapp'

/** The channel of the outbox that reaches an address. */
export const channelOf = { email: 'email', phone: 'sms', whatsapp: 'whatsapp' } as const satisfies Record<
  Method,
  string
>

const EMAIL = /^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$/

/** An address in the form in which it is compared and stored; undefined if it is none. The numbering plans are large: they are loaded on first use. */
export async function addressOf(method: Method, entered: string): Promise<string | undefined> {
  if (method === 'email') return EMAIL.test(entered.trim()) ? entered.trim().toLowerCase() : undefined
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const number = parsePhoneNumberFromString(entered)
  return number?.isPossible() ? number.number : undefined
}

/** The address in its stored form. Refuses (422) what is none. @param field the field of the body that has it */
export async function addressIn(
  { method, address }: { method: Method; address: string },
  field = 'address',
): Promise<string> {
  const found = await addressOf(method, address)
  if (found !== undefined) return found
  const problem =
    method === 'email'
      ? 'Must be an e-mail address.'
      : 'Must be a telephone number with its country code, such as +44 7700 900123.'
  throw refuse.invalid({ [field]: [problem] })
}
