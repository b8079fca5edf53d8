/** The pages that the executable serves. All of them work without internet: they load nothing from other servers. */
import { preferences } from '#design/translations/languageChoice'
import { commonHeaders, toResponse } from '#http/answer'
import type { AnyOperation } from '#http/operation'
import type { Services } from '#http/services'
import { unknownPath } from '#http/unknownPath'
import { onceAsync } from '#kernel/once'
import { refuse } from '#kernel/problem'
import { roomAt } from '#web/links/rooms'
import { frontEnds, isPageOf } from '#web/serving/frontEnds'
import { textResponse } from '#web/serving/negotiate'
import { DEVICES, FRAMING, pageHeaders } from '#web/serving/policy'
import type { AuthoritySource } from '#web/trust/certificateFile'
import diagram from '../../docs/trialbox.svg' with { type: 'text' }

/** A page that matches a request. The log gets the pattern, never the path, which may hold a token. */
export type PageMatch = { pattern: string; answer(): Response | Promise<Response> }

type Answer = (request: Request, path: string) => Response | Promise<Response>

/** A start loads neither the pages nor their texts. */
const loadSite = onceAsync(() => import('./site'))

/** The certificate of the server's authority, as devices take it. */
const TRUST = /^\/trust\/trialbox\.(pem|crt|mobileconfig)$/
/** For a server that shows no certificate, or one of another authority. */
const NO_AUTHORITY: AuthoritySource = { forPage: async () => undefined, forDownload: async () => undefined }
/** What is left of a link that was cut, or has something after it. */
const BROKEN = /^\/app\/(stage|file-review|consent|consent-session|meeting)\/|^\/poll(\/|$)/
/** The same form read as JSON; a browser is led to the page. */
const CONSENT_API = /^\/consent\/[^/]+\/[^/]+$/
/** Links that people have, which lead into the app: of sign-in grants, of messages, and of the providers of wearables. */
const JOIN = /^\/join(\/connections\/[^/]+)?$/
/** The pattern of links that somebody was sent; that of polls is one of its own, as a poll is anonymous. */
const linkPattern = (path: string): string => (path.startsWith('/poll') ? '/poll/:link' : '/app/:link')

/** The front end whose page this is. */
const frontEndAt = (path: string): string | undefined => frontEnds.find((each) => isPageOf(each, path))?.name

/** Whether the client names pages, and nothing before them that JSON is. */
const wantsPage = ({ headers }: Request): boolean =>
  preferences(headers.get('accept'))
    .map((type) => type.toLowerCase())
    .find((type) => type === 'text/html' || type === '*/*' || /^application\/(json|\*)$/.test(type)) === 'text/html'

/** An answer that is a page for other clients. */
function withVary(response: Response): Response {
  const { status, statusText } = response
  const headers = new Headers(response.headers)
  headers.append('Vary', 'Accept')
  return new Response(response.body, { status, statusText, headers })
}

type Pages = { services: Services; operations(): Promise<readonly AnyOperation[]> }

/**
 * Makes the function that answers a browser whose address is wrong with a page in place of JSON. Programs, and operations that did not
 * find what their path names, keep their answer.
 */
export function missingAt({ services, operations }: Pages) {
  const headers = { ...commonHeaders(services.version), ...pageHeaders }
  let unknown: ReturnType<typeof unknownPath> | undefined
  return async (request: Request, response: Response): Promise<Response> => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const isJson = response.headers.get('content-type')?.startsWith('application/json')
    if (response.status !== 404 || !isRead || !isJson) return response
    unknown ??= unknownPath(await operations())
    if (unknown(request).headers?.Allow) return response
    if (!wantsPage(request)) return withVary(response)
    const site = await loadSite()
    const page = await site.missingPage(request, headers)
    return services.copyOf ? site.withCopyNotice(page, services.copyOf) : page
  }
}

/** Makes the function that finds the page for a request; it returns undefined if there is none. */
export function pageAt(
  service: Pages,
  trust: AuthoritySource = NO_AUTHORITY,
): (request: Request, path: string) => PageMatch | undefined {
  const baseHeaders = commonHeaders(service.services.version)
  const common = { ...baseHeaders, ...pageHeaders }
  // Browsers ask at every use whether a page changed, so that they show a new version at once.
  const revalidated = { ...common, 'Cache-Control': 'no-cache' }
  let document: string | undefined

  function refusalResponse({ method }: Request, known: readonly string[]): Response {
    const { status, body, headers } = refuse.unknownOperation(method, known)
    return toResponse(service.services, status, body, headers)
  }

  async function openapi(request: Request): Promise<Response> {
    document ??= JSON.stringify((await import('#http/docs/document')).openapi(await service.operations()))
    return textResponse(request, 'application/json', document, revalidated)
  }
  const file: Answer = async (request, path) =>
    (await (await loadSite()).fileAt(path, request, baseHeaders)) ?? refusalResponse(request, [])
  const framedPage =
    (name: 'landing' | 'account' | 'docs' | 'gallery' | 'app' | 'links' | 'console'): Answer =>
    async (request) =>
      (await loadSite()).framedPage(name, request, revalidated)
  // It shows documents in frames.
  const linkedPage: Answer = async (request) =>
    (await loadSite()).framedPage('links', request, { ...revalidated, 'Content-Security-Policy': FRAMING })
  const meeting: Answer = async (request) =>
    (await loadSite()).framedPage('links', request, { ...revalidated, 'Permissions-Policy': DEVICES })
  const consent: Answer = async (request) => (await loadSite()).framedPage('consent', request, revalidated)
  const manual: Answer = async (request, path) => (await loadSite()).manualPage(path, request, revalidated)
  // Not kept by the browser: after its use, the link shows another text.
  const setup: Answer = async (request) => (await loadSite()).framedPage('setup', request, common)

  // What it shows depends on the moment and the person.
  const health: Answer = async (request) =>
    (await loadSite()).healthPage(request, { ...common, 'Cache-Control': 'no-store' }, service.services.health().status)

  // The query holds secrets: nothing keeps the address.
  const join: Answer = (request, path) => {
    const { search, searchParams } = new URL(request.url)
    const grant = searchParams.get('grant')
    const within = path.slice('/join'.length)
    const Location = grant ? `/app/join/${encodeURIComponent(grant)}` : `/app${within || '/'}${within ? search : ''}`
    return new Response(null, { status: 303, headers: { ...common, 'Cache-Control': 'no-store', Location } })
  }

  const redirectToConsent: Answer = (_request, path) =>
    new Response(null, { status: 303, headers: { ...common, 'Cache-Control': 'no-store', Location: `/app${path}` } })

  // What it shows depends on the device, and changes with the certificate.
  const unkept = { ...common, 'Cache-Control': 'no-store' }
  const trustPage: Answer = async (request) => (await loadSite()).trustPage(request, unkept, trust)
  const certificate: Answer = async (_request, path) => {
    const answer = await (await import('#web/trust/certificateFile')).certificateFile(path, unkept, trust)
    if (answer) return answer
    const { status, body } = refuse.missing('certificate')
    return toResponse(service.services, status, body)
  }

  const files = new Map<string, Answer>([
    ['/openapi.json', openapi],
    ['/app/sw.js', file],
    ['/app/manifest.webmanifest', file],
    ['/manual/trialbox.svg', (request) => textResponse(request, 'image/svg+xml', diagram, revalidated)],
  ])
  /** The pages of each front end, with the pattern of their addresses for the log. `/setup` and `/health` are for browsers only. */
  const pages: Readonly<Record<string, (path: string) => [pattern: string, Answer]>> = {
    landing: () => ['/', framedPage('landing')],
    docs: () => ['/docs', framedPage('docs')],
    account: () => ['/account/:part', framedPage('account')],
    app: () => ['/app/:page', framedPage('app')],
    links: (path) => (roomAt(path) === 'meeting' ? ['/app/meeting/:link', meeting] : [linkPattern(path), linkedPage]),
    consent: () => ['/app/:link', consent],
    console: () => ['/console/:page', framedPage('console')],
    manual: () => ['/manual/:page', manual],
    trust: () => ['/trust', trustPage],
    ...(service.services.test ? { gallery: () => ['/ui', framedPage('gallery')] } : {}),
  }

  /** Leads a link with a slash after it to the page; of another broken one, the page says that it does not work. */
  const brokenLink: Answer = (request, path) => {
    const whole = path.replace(/\/+$/, '')
    if (!roomAt(whole)) return linkedPage(request, path)
    const Location = whole + new URL(request.url).search
    return new Response(null, { status: 303, headers: { ...common, 'Cache-Control': 'no-store', Location } })
  }

  /** The page and its pattern, whatever the method of the request. */
  function findPage(path: string): [pattern: string, Answer] | undefined {
    const answer = files.get(path)
    if (answer) return [path, answer]
    if (path.startsWith('/web/')) return ['/web/:file', file]
    if (JOIN.test(path)) return ['/join', join]
    if (TRUST.test(path)) return ['/trust/:file', certificate]
    return pages[frontEndAt(path) ?? '']?.(path)
  }

  const { copyOf } = service.services
  /** A page; that of a restored copy says so, also to a browser that has kept the page of the server itself. */
  async function showPage(answer: Answer, request: Request, path: string): Promise<Response> {
    if (!copyOf || path.startsWith('/web/')) return answer(request, path)
    const unkept = new Request(request)
    for (const name of ['if-none-match', 'accept-encoding']) unkept.headers.delete(name)
    return (await loadSite()).withCopyNotice(await answer(unkept, path), copyOf)
  }

  return (request, path) => {
    const isRead = request.method === 'GET' || request.method === 'HEAD'
    const match = findPage(path)
    if (match) {
      const [pattern, answer] = match
      return {
        pattern,
        answer: () => (isRead ? showPage(answer, request, path) : refusalResponse(request, ['GET', 'HEAD'])),
      }
    }
    if (!isRead || !wantsPage(request)) return undefined
    if (path === '/health') return { pattern: '/health', answer: () => showPage(health, request, path) }
    if (BROKEN.test(path)) return { pattern: linkPattern(path), answer: () => showPage(brokenLink, request, path) }
    if (frontEndAt(path) === 'setup') return { pattern: '/setup/:token', answer: () => showPage(setup, request, path) }
    return CONSENT_API.test(path)
      ? { pattern: '/consent/:trialCode/:formKey', answer: () => redirectToConsent(request, path) }
      : undefined
  }
}
