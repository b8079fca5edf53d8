import type { AuthoritySource } from '#web/trust/certificateFile'
import type { Certificate } from './certificate'
import { markGivenOut } from './certificateFiles'

/** What the page `/trust` shows of the authority that signed the certificate, and hands out. */
export function trustOf(folder: string, current: () => Certificate): AuthoritySource {
  const forPage: AuthoritySource['forPage'] = async () => {
    const { authority } = current()
    if (!authority) return undefined
    const { cert, fingerprint, expiresAt } = authority // not its key
    return { cert, fingerprint, expiresAt, limits: (await import('./authority')).permittedBy(cert) }
  }
  return {
    forPage,
    async forDownload() {
      const authority = await forPage()
      if (authority) markGivenOut(folder)
      return authority
    },
  }
}
