/** Gives a file to the person, as a download. */
import { safeName } from './fileName'

/** How long the browser may take to begin, in milliseconds. */
const REVOKE_DELAY = 60_000

/** @param name as it is to be called; characters that no file name may have are replaced */
export function saveFile(file: Blob, name: string): void {
  const link = document.createElement('a')
  link.href = URL.createObjectURL(file)
  link.download = safeName(name)
  document.body.append(link)
  link.click()
  link.remove()
  setTimeout(() => URL.revokeObjectURL(link.href), REVOKE_DELAY)
}
