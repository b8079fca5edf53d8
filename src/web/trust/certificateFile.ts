/** The server's own authority as files for devices that are to trust it. Loaded at the first use. */
import { nodeCrypto } from '#kernel/cryptography'
import type { Instant } from '#kernel/time'
import { appleProfile } from './profile'

/** The authority of this server, as the page needs it. */
export type TrustedAuthority = Readonly<{
  cert: string
  /** SHA-256, `AB:CD:…`. */
  fingerprint: string
  expiresAt: Instant
  /** The names and networks that it can vouch for. */
  limits: readonly string[]
}>

/** Where the page gets the authority from; `undefined` if there is none to trust. */
export type AuthoritySource = Readonly<{
  forPage(): Promise<TrustedAuthority | undefined>
  /** The same, for somebody who downloads it. */
  forDownload(): Promise<TrustedAuthority | undefined>
}>

const FILES: Readonly<Record<string, { type: string; content(authority: TrustedAuthority): BodyInit }>> = {
  'trialbox.pem': { type: 'application/x-pem-file', content: ({ cert }) => cert },
  'trialbox.crt': { type: 'application/x-x509-ca-cert', content: ({ cert }) => derOf(cert) },
  'trialbox.mobileconfig': {
    type: 'application/x-apple-aspen-config',
    content: ({ cert, fingerprint }) => appleProfile(derOf(cert), fingerprint),
  },
}

const derOf = (cert: string): Uint8Array<ArrayBuffer> => new Uint8Array(new (nodeCrypto().X509Certificate)(cert).raw)

/** The authority in the form of the file with this path; undefined if there is no authority to trust. */
export async function certificateFile(
  path: string,
  common: Readonly<Record<string, string>>,
  trust: AuthoritySource,
): Promise<Response | undefined> {
  const name = path.slice('/trust/'.length)
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  const authority = file && (await trust.forDownload())
  if (!file || !authority) return undefined
  const headers = { 'Content-Type': file.type, 'Content-Disposition': `attachment; filename="${name}"` }
  return new Response(file.content(authority), { headers: { ...common, ...headers } })
}
