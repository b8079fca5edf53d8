/** Makes signed links: whole URLs. */

import { HOUR, type Instant } from '#kernel/time'
import type { Signer } from './sign'
import type { MakeLink, Storage } from './storage'

// The same kind for all files: the row of a file says whether it is an upload or an export.
const KIND = 'files'
/** Renderings of documents, which are shown in the browser. */
export const PREVIEWS = 'previews'

/** @param publicUrl returns the beginning of the URLs; called for each, since a server knows its port only when it listens */
export const signedLinks = (
  links: Signer,
  publicUrl: () => string,
): Pick<Storage, 'uploadUrl' | 'downloadUrl' | 'previewUrl'> => ({
  uploadUrl: (name, expiresAt) => publicUrl() + links.sign({ method: 'PUT', kind: KIND, name }, expiresAt),
  downloadUrl: (name, fileName, expiresAt) =>
    publicUrl() + links.sign({ method: 'GET', kind: KIND, name, fileName }, expiresAt),
  previewUrl: (name, fileName, type, expiresAt) =>
    publicUrl() + links.sign({ method: 'GET', kind: PREVIEWS, name, fileName, type, disposition: 'inline' }, expiresAt),
})

/** Returns a function that makes download links, which work for an hour from `now`. */
export const hourLinkMaker = ({ storage }: { storage: Pick<Storage, 'downloadUrl'> }, now: Instant): MakeLink => {
  return (storedName, name) => storage.downloadUrl(storedName, name, now + HOUR)
}
