/** What is wrong with an address or a code, in words of the page. */
import { type CodeCheck, codeOf, type FailedAnswer, type Method } from './requests'
import type { Translator } from './texts'

/** Beside the address, after the server refused to send a code; undefined if it is not about the address. */
export function addressFault({ t }: Translator, method: Method, failure: FailedAnswer): string | undefined {
  if (failure.fields.address !== undefined) return t(method === 'email' ? 'consent.badEmail' : 'consent.badPhone')
  if (codeOf(failure) === 'tooSoon') return t('consent.tooSoon')
  if (codeOf(failure) === 'otherCountry') return t('consent.otherCountry')
  return codeOf(failure) === 'tooManyCodes' ? t('consent.tooMany') : undefined
}

/** Beside the code, after the server refused to check it; undefined if it is not about the code. */
export function codeFault({ t }: Translator, failure: FailedAnswer): string | undefined {
  const isAbout = ['codeEnded', 'noCode'].includes(codeOf(failure) ?? '')
  return isAbout || failure.fields.code !== undefined ? t('consent.codeEnded') : undefined
}

/** Beside the code, if it was wrong. */
export const wrongCode = ({ t, count }: Translator, { triesLeft }: CodeCheck): string =>
  triesLeft > 0 ? count('consent.wrongCode', triesLeft) : t('consent.codeEnded')

/** Codes are six digits; spaces between them do not count. */
export const enteredCode = (data: FormData): string => `${data.get('code') ?? ''}`.replace(/\s/g, '')
