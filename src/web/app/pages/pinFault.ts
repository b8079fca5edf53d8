/** What is wrong with a PIN that somebody chose, in words of the page. */
import type { Answer } from '#web/common/api'
import type { Speaker } from '../texts'

/** Beside the PIN, after the server refused it; undefined if it is not about the PIN. */
export const pinFault = (
  { say }: Pick<Speaker, 'say'>,
  { fields, details }: Extract<Answer<never>, { isDone: false }>,
): string | undefined =>
  fields.pin === undefined ? undefined : say(details.code === 'easyPin' ? 'pin.easy' : 'pin.digits')
