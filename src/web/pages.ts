/** The pages that the executable serves. All of them work without internet: they load nothing from other servers. */
import swaggerCss from 'swagger-ui-dist/swagger-ui.css' with { type: 'file' }
import swaggerJs from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'file' }
import { commonHeaders, toResponse } from '#http/answer'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { refuse } from '#kernel/problem'
import type { Trust } from '#web/trust/answer'
import diagram from '../../docs/trialbox.svg' with { type: 'text' }
import accountHtml from './account.html' with { type: 'text' }
import accountJs from './account.js' with { type: 'text' }
import apiJs from './api.js' with { type: 'text' }
import docsCss from './docs.css' with { type: 'text' }
import docsHtml from './docs.html' with { type: 'text' }
import docsJs from './docs.js' with { type: 'text' }
import icon from './icon.svg' with { type: 'text' }
import landingHtml from './landing.html' with { type: 'text' }
import landingJs from './landing.js' with { type: 'text' }
import manualCss from './manual/manual.css' with { type: 'text' }
import setupHtml from './setup.html' with { type: 'text' }
import setupJs from './setup.js' with { type: 'text' }
import style from './style.css' with { type: 'text' }
import trustCss from './trust/trust.css' with { type: 'text' }

/** A page that matches a request. The log gets the pattern, never the path, which may hold a token. */
export type PageMatch = { pattern: string; answer(): Response | Promise<Response> }

type Content = { type: string; body: () => BodyInit | Promise<BodyInit> }

const text = (type: string) => (content: unknown) => ({ type: `${type}; charset=utf-8`, body: () => content as string })
const html = text('text/html')
const script = text('text/javascript')
const css = text('text/css')
const embedded = (type: string, path: unknown): Content => ({
  type: `${type}; charset=utf-8`,
  body: () => Bun.file(path as string),
})

/** The content security policy: pages load only our own files, and no other site may frame a page. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
  "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

const contents: Record<string, Content> = {
  '/': html(landingHtml),
  '/account': html(accountHtml),
  '/docs': html(docsHtml),
  '/web/style.css': css(style),
  '/web/manual.css': css(manualCss),
  '/web/docs.css': css(docsCss),
  '/web/trust.css': css(trustCss),
  '/manual/trialbox.svg': text('image/svg+xml')(diagram),
  '/web/icon.svg': text('image/svg+xml')(icon),
  '/web/api.js': script(apiJs),
  '/web/landing.js': script(landingJs),
  '/web/account.js': script(accountJs),
  '/web/setup.js': script(setupJs),
  '/web/docs.js': script(docsJs),
  '/web/swagger-ui.css': embedded('text/css', swaggerCss),
  '/web/swagger-ui.js': embedded('text/javascript', swaggerJs),
}

const setup = html(setupHtml)

/** This path serves two clients: a browser gets the page, which then requests JSON from the same path. */
const SETUP = /^(\/app)?\/setup\/[^/]+$/
const MANUAL = /^\/manual(\/|$)/
const TRUST = /^\/trust(\/trialbox\.(pem|crt|mobileconfig))?$/
/** For a server that shows no certificate, or one of another authority. */
const NOTHING: Trust = { shown: async () => undefined, given: async () => undefined }
const wantsPage = (request: Request) => /\btext\/html\b/.test(request.headers.get('accept') ?? '')

/** Makes the function that finds the page for a request; it returns undefined if there is none. */
export function pageAt(
  service: {
    services: Services
    operations(): Promise<readonly AnyOperation[]>
  },
  trust: Trust = NOTHING,
): (request: Request, path: string) => PageMatch | undefined {
  const { services } = service
  const common = {
    ...commonHeaders(services.version),
    'Content-Security-Policy': POLICY,
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
  // Browsers cache a page and ask at every use whether it changed, so that they show a new version at once.
  const etag = `"${services.version}"`
  const cachedHeaders = { ...common, 'Cache-Control': 'no-cache', ETag: etag }
  let document: string | undefined

  const openapi: Content = {
    type: 'application/json',
    async body() {
      document ??= JSON.stringify((await import('#http/docs/document')).openapi(await service.operations()))
      return document
    },
  }

  async function send(content: Content, request: Request): Promise<Response> {
    if (request.headers.get('if-none-match') === etag)
      return new Response(null, { status: 304, headers: cachedHeaders })
    return new Response(await content.body(), { headers: { ...cachedHeaders, 'Content-Type': content.type } })
  }

  async function manual(request: Request, path: string): Promise<Response> {
    if (request.headers.get('if-none-match') === etag)
      return new Response(null, { status: 304, headers: cachedHeaders })
    const { manualPage } = await import('#web/manual/answer')
    const { status, html } = manualPage(path, new URL(request.url).searchParams.get('q'))
    const headers = { ...(status === 200 ? cachedHeaders : common), 'Content-Type': 'text/html; charset=utf-8' }
    return new Response(html, { status, headers })
  }

  /** What the page shows depends on the device, and changes with the certificate: it is not cached. */
  async function trusted(request: Request, path: string): Promise<Response> {
    const { trustAnswer } = await import('#web/trust/answer')
    const answer = await trustAnswer(request, path, trust)
    if (!answer) {
      const { status, body, headers } = refuse.missing('certificate')
      return toResponse(services, status, body, headers)
    }
    for (const [name, value] of Object.entries({ ...common, 'Cache-Control': 'no-store' }))
      answer.headers.set(name, value)
    return answer
  }

  function wrongMethod({ method }: Request): Response {
    const { status, body, headers } = refuse.unknownOperation(method, ['GET', 'HEAD'])
    return toResponse(services, status, body, headers)
  }

  return (request, path) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const content = path === '/openapi.json' ? openapi : Object.hasOwn(contents, path) ? contents[path] : undefined
    if (!isRead) {
      const pattern = content
        ? path
        : MANUAL.test(path)
          ? '/manual/:page'
          : TRUST.test(path)
            ? '/trust/:file'
            : undefined
      return pattern === undefined ? undefined : { pattern, answer: () => wrongMethod(request) }
    }
    if (content) return { pattern: path, answer: () => send(content, request) }
    if (MANUAL.test(path)) return { pattern: '/manual/:page', answer: () => manual(request, path) }
    if (TRUST.test(path)) return { pattern: '/trust/:file', answer: () => trusted(request, path) }
    if (!SETUP.test(path) || !wantsPage(request)) return undefined
    // Not cached: after its use, the link shows another text.
    const headers = { ...common, 'Content-Type': setup.type, Vary: 'Accept' }
    return { pattern: '/setup/:token', answer: async () => new Response(await setup.body(), { headers }) }
  }
}
