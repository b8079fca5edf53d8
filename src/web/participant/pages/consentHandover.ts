/** What the page of a consent hands over to the sign-in: after the `#` of the address, which leaves the device nowhere. */

/** The code of the study and the one for the first sign-in. They are in the address once. */
export function readConsentHandover(): { study: string | null; code: string | null } {
  const given = new URLSearchParams(location.hash.slice(1))
  const [study, code] = [given.get('study'), given.get('code')]
  if (study) history.replaceState(history.state, '', location.pathname)
  return { study, code }
}
