/** Signed links as they are told: whole URLs. */

import { HOUR, type Instant } from '#kernel/time'
import type { Signer } from './sign'
import type { Link, Storage } from './storage'

// One shelf: whether a name is an upload or an export its row says.
const SHELF = 'files'

/** @param publicUrl what the URLs begin with; asked each time, as a server learns its port only when it listens */
export const linksBy = (links: Signer, publicUrl: () => string): Pick<Storage, 'uploadUrl' | 'downloadUrl'> => ({
  uploadUrl: (name, expiresAt) => publicUrl() + links.sign({ method: 'PUT', kind: SHELF, name }, expiresAt),
  downloadUrl: (name, fileName, expiresAt) =>
    publicUrl() + links.sign({ method: 'GET', kind: SHELF, name, fileName }, expiresAt),
})

/** Links that work for an hour from then on. */
export const linkFrom = ({ storage }: { storage: Pick<Storage, 'downloadUrl'> }, now: Instant): Link => {
  return (storedName, name) => storage.downloadUrl(storedName, name, now + HOUR)
}
