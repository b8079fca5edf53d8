import { sha256 } from './id'

/**
 * An address as it is shown and logged: its host, and a hash by which two addresses can be compared. Paths and queries of webhooks often
 * hold a credential. What is returned is no address that can be entered, since that has no `#`; a masked address is returned as it is.
 */
export function maskedAddress(address: string): string {
  if (/^[^#]*\/#sha256:[0-9a-f]{16}$/.test(address)) return address
  const origin = URL.parse(address)?.origin ?? 'unknown:'
  return `${origin}/#sha256:${sha256(address).slice(0, 16)}`
}
