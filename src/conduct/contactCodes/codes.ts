/** How people enter codes that the server has sent or shown (docs/consent.md, "Codes"). */
import { normalizeCode } from '#kernel/digits'
import { sha256 } from '#kernel/id'

/** A code as a person enters it: spaces, hyphens and case do not count, digits may be those of any script, and letters that look like digits are digits. */
const foldCode = (code: string): string => normalizeCode(code).toUpperCase().replace(/O/g, '0').replace(/[IL]/g, '1')

/** Whether a person entered this code. Hashes are compared, so that the time reveals nothing. */
export const isSameCode = (entered: string, code: string): boolean =>
  sha256(foldCode(entered)) === sha256(foldCode(code))
