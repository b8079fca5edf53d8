/** Makes signed links: whole URLs. */

import { HOUR, type Instant } from '#kernel/time'
import type { Claims, Signer } from './linkSigner'
import type { LinkMaker, Storage } from './storage'

// The same kind for all files: the row of a file says whether it is an upload or an export.
const KIND = 'files'
/** Renderings of documents, which are shown in the browser. */
export const PREVIEWS = 'previews'

/**
 * @param publicUrl returns the beginning of the URLs; called for each, since a server knows its port only when it listens
 * @param reader returns the reader to whom download links are given; see `Claims`
 */
export function signedLinks(
  links: Signer,
  publicUrl: () => string,
  reader: () => string | undefined = () => undefined,
): Pick<Storage, 'uploadUrl' | 'downloadUrl' | 'previewUrl'> {
  const download = (claims: Omit<Claims, 'method' | 'reader'>, expiresAt: Instant) => {
    const offeredTo = reader()
    return (
      publicUrl() +
      links.sign({ ...claims, method: 'GET', ...(offeredTo === undefined ? {} : { reader: offeredTo }) }, expiresAt)
    )
  }
  return {
    uploadUrl: (name, expiresAt) => publicUrl() + links.sign({ method: 'PUT', kind: KIND, name }, expiresAt),
    downloadUrl: (name, fileName, expiresAt) => download({ kind: KIND, name, fileName }, expiresAt),
    previewUrl: (name, fileName, type, expiresAt) =>
      download({ kind: PREVIEWS, name, fileName, type, disposition: 'inline' }, expiresAt),
  }
}

/** Returns a function that makes download links, which work for an hour from `now`. */
export const hourLinkMaker = ({ storage }: { storage: Pick<Storage, 'downloadUrl'> }, now: Instant): LinkMaker => {
  return (storedName, name) => storage.downloadUrl(storedName, name, now + HOUR)
}
