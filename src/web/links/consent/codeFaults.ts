/** What is wrong with an address or a code, in words of the page. */
import { type CodeChecked, codeOf, type Method, type Refused } from './server'
import type { Speaker } from './texts'

/** Beside the address, after the server refused to send a code; undefined if it is not about the address. */
export function addressFault({ say }: Speaker, method: Method, failure: Refused): string | undefined {
  if (failure.fields.address !== undefined) return say(method === 'email' ? 'consent.badEmail' : 'consent.badPhone')
  if (codeOf(failure) === 'tooSoon') return say('consent.tooSoon')
  if (codeOf(failure) === 'otherCountry') return say('consent.otherCountry')
  return codeOf(failure) === 'tooManyCodes' ? say('consent.tooMany') : undefined
}

/** Beside the code, after the server refused to check it; undefined if it is not about the code. */
export function codeFault({ say }: Speaker, failure: Refused): string | undefined {
  const isAbout = ['codeEnded', 'noCode'].includes(codeOf(failure) ?? '')
  return isAbout || failure.fields.code !== undefined ? say('consent.codeEnded') : undefined
}

/** Beside the code, if it was wrong. */
export const wrongCode = ({ say, count }: Speaker, { triesLeft }: CodeChecked): string =>
  triesLeft > 0 ? count('consent.wrongCode', triesLeft) : say('consent.codeEnded')

/** Codes are six digits; spaces between them do not count. */
export const enteredCode = (data: FormData): string => `${data.get('code') ?? ''}`.replace(/\s/g, '')
