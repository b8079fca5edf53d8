import type { Trust } from '#web/trust/answer'
import type { Certificate } from './certificate'
import { noteGivenOut } from './stored'

/** What the page `/trust` shows of the authority that signed the certificate, and hands out. */
export function trustOf(folder: string, current: () => Certificate): Trust {
  const shown: Trust['shown'] = async () => {
    const { authority } = current()
    if (!authority) return undefined
    const { cert, fingerprint, expiresAt } = authority // not its key
    return { cert, fingerprint, expiresAt, limits: (await import('./authority')).permittedBy(cert) }
  }
  return {
    shown,
    async given() {
      const authority = await shown()
      if (authority) noteGivenOut(folder)
      return authority
    },
  }
}
