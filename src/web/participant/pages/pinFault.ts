/** What is wrong with a PIN that somebody chose, in words of the page. */
import type { Answer } from '#web/kit/api/send'
import type { Translator } from '#web/participant/texts'

/** Beside the PIN, after the server refused it; undefined if it is not about the PIN. */
export const pinFault = (
  { t }: Pick<Translator, 't'>,
  { fields, details }: Extract<Answer<never>, { isDone: false }>,
): string | undefined =>
  fields.pin === undefined ? undefined : t(details.code === 'easyPin' ? 'pin.easy' : 'pin.digits')
