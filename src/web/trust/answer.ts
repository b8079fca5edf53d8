/** What `/trust` and the files below it answer. Loaded at the first use. */
import { isLoopback } from '#kernel/address'
import { nodeCrypto } from '#kernel/cryptography'
import { type Instant, instantText } from '#kernel/time'
import { languageFor, trustPage } from './page'
import { appleProfile } from './profile'

/** The authority of this server, as the page needs it. */
export type Trusted = Readonly<{ cert: string; fingerprint: string; expiresAt: Instant; limits: readonly string[] }>

/** Where the page gets the authority from; `undefined` if there is none to trust. */
export type Trust = Readonly<{
  shown(): Promise<Trusted | undefined>
  /** The same, for somebody who downloads it. */
  given(): Promise<Trusted | undefined>
}>

const FILES: Readonly<Record<string, { type: string; content(authority: Trusted): BodyInit }>> = {
  'trialbox.pem': { type: 'application/x-pem-file', content: ({ cert }) => cert },
  'trialbox.crt': { type: 'application/x-x509-ca-cert', content: ({ cert }) => derOf(cert) },
  'trialbox.mobileconfig': {
    type: 'application/x-apple-aspen-config',
    content: ({ cert, fingerprint }) => appleProfile(derOf(cert), fingerprint),
  },
}

const derOf = (cert: string): Uint8Array<ArrayBuffer> => new Uint8Array(new (nodeCrypto().X509Certificate)(cert).raw)

/** Answers a request for the page or a file; undefined if there is nothing to hand out. */
export async function trustAnswer(request: Request, path: string, trust: Trust): Promise<Response | undefined> {
  if (path === '/trust') {
    const { searchParams, hostname, origin } = new URL(request.url)
    const authority = await trust.shown()
    const shown = authority && { ...authority, until: instantText(authority.expiresAt).slice(0, 10) }
    const html = trustPage(shown, {
      language: languageFor(searchParams.get('lang'), request.headers.get('accept-language')),
      agent: request.headers.get('user-agent') ?? '',
      address: isLoopback(hostname.replace(/^\[|\]$/g, '')) ? undefined : `${origin}/trust`,
    })
    const headers = { 'Content-Type': 'text/html; charset=utf-8', Vary: 'Accept-Language, User-Agent' }
    return new Response(html, { headers })
  }
  const name = path.slice('/trust/'.length)
  const file = Object.hasOwn(FILES, name) ? FILES[name] : undefined
  const authority = file && (await trust.given())
  if (!file || !authority) return undefined
  const headers = { 'Content-Type': file.type, 'Content-Disposition': `attachment; filename="${name}"` }
  return new Response(file.content(authority), { headers })
}
