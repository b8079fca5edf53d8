/** What browsers let a page do (docs/security.md). */

/**
 * The content security policy of every page: only our own files are loaded, no other site may frame it, and no text becomes HTML
 * or a script. `types` names the only makers of exceptions: `worker`, for the address of the service worker (`common/worker.ts`).
 */
const policyWith = (types: string): string =>
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
  ].join('; ')

export const POLICY = policyWith('worker')

export const pageHeaders = { 'Content-Security-Policy': POLICY, 'Cross-Origin-Opener-Policy': 'same-origin' }
