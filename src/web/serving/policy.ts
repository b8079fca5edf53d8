/** What browsers let a page do (docs/security.md). */

/**
 * The content security policy of every page: only our own files are loaded, no other site may frame it, and no text becomes HTML
 * or a script. `types` names the only makers of exceptions: `worker`, for the address of the service worker (`kit/page/registerWorker.ts`).
 */
const policyWith = (types: string, more: readonly string[] = []): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "connect-src 'self'",
    "manifest-src 'self'",
    "worker-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    `trusted-types ${types}`,
    ...more,
  ].join('; ')

export const POLICY = policyWith('worker')

/** Of pages that show documents of this server in frames. A document has a policy of its own, with which it runs nothing. */
export const FRAMING = policyWith("'none'", ["frame-src 'self'"])

const devices = ['camera', 'microphone', 'display-capture']
const permitted = (to: string) => devices.map((each) => `${each}=(${to})`).join(', ')

export const pageHeaders = {
  'Content-Security-Policy': POLICY,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Permissions-Policy': permitted(''),
}

/** Of the page of a meeting, the only one that may ask for camera, microphone and screen. */
export const DEVICES = permitted('self')
