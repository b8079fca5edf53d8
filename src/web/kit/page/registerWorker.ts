/** The one exception from "no text becomes a script": the address of the service worker. Browsers let a policy be made once only. */

const ADDRESS = '/app/sw.js'

type Policy = { createScriptURL(address: string): unknown }
type Factory = { createPolicy(name: string, rules: { createScriptURL(address: string): string }): Policy }

let policy: Policy | undefined

/** The address, as the browser wants it; a plain text where it knows no trusted types. */
function trustedAddress(): string | URL {
  const { trustedTypes } = globalThis as { trustedTypes?: Factory }
  policy ??= trustedTypes?.createPolicy('worker', {
    createScriptURL: (address) => (address === ADDRESS ? address : ''),
  })
  // The type of `register` does not know of trusted types.
  return (policy?.createScriptURL(ADDRESS) ?? ADDRESS) as string
}

/**
 * Registers the service worker for the pages below `/app/`. Returns undefined where there is no service worker: without HTTPS, or with a
 * certificate that this device does not trust.
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration | undefined> {
  if (!('serviceWorker' in navigator)) return undefined
  try {
    return await navigator.serviceWorker.register(trustedAddress(), { scope: '/app/' })
  } catch {
    return undefined
  }
}
