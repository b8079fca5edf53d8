import type { Trial } from '#design/trials/store'
import { type Instant, instantText } from '#kernel/time'

/** The file name of a downloaded record. */
export const nameOf = ({ code }: Pick<Trial, 'code'>, at: Instant, what: string): string =>
  `${code} ${what} ${instantText(at).slice(0, 10)}.zip`
