/** Builds the Elysia application from the list of operations. Elysia finds the operation; the pipeline does the rest. */
import { Elysia } from 'elysia'
import { newSecret } from '#kernel/id'
import { refusalOf } from '#kernel/machine'
import { onceAsync } from '#kernel/once'
import { toResponse } from './answer'
import type { OfferedOperation } from './offeredOperation'
import { FHIR_HEADERS, isFhirUrl, outcomeOf } from './outcome'
import { createHandler, type RequestHandler } from './perform'
import type { Services } from './services'
import { unknownPath } from './unknownPath'

/** What is logged of a request: the path pattern of the operation, never the path with its ids, tokens or query. */
export type LoggedRequest = {
  method: string
  /** Undefined if no operation has this path. */
  pattern: string | undefined
  status: number
  milliseconds: number
  /** A response with status 500 or above has it as a header too, so that a person who reports it names the line of the log. */
  requestId: string
  address?: string | null
  caller?: { kind: 'user' | 'participant'; _id: string }
}

export type MountedApp = {
  handle(request: Request, address: string | null, origin?: string, isMonitor?: boolean): Promise<Response>
}

const runId = newSecret().slice(0, 8)
let count = 0
/** Returns an id that is unique within this run and among all runs. */
export const newRequestId = (): string => `${runId}-${(++count).toString(36)}`

/** The part of Elysia's context that a handler needs. */
type ElysiaContext = { request: Request; params: Record<string, string> }

type Origin = { address: string | null; origin: string | undefined; isMonitor: boolean | undefined }

/** Responds to a request of one operation. */
type Handler = (context: ElysiaContext, from: Origin) => Promise<Response>

/** What a service does with a request after Elysia has found its operation. */
type Handlers = {
  ofOperation: ReadonlyMap<OfferedOperation, Handler>
  ofUnknown(request: Request, address: string | null): Response
}

type RoutedRequest = Origin & { handlers: Handlers }

type Router = { app: { handle(request: Request): Promise<Response> }; routedRequests: WeakMap<Request, RoutedRequest> }

/** Builds an application that finds the operation of a request, and gives it to the handlers of its service. */
function buildRouter(operations: readonly OfferedOperation[]): Router {
  const routedRequests: Router['routedRequests'] = new WeakMap()
  const routedRequest = (request: Request): RoutedRequest => {
    const found = routedRequests.get(request)
    if (!found) throw new Error('Elysia has replaced the request that it was given.')
    return found
  }
  const app = new Elysia({ aot: true })
  for (const operation of operations) {
    const handle = (context: ElysiaContext): Promise<Response> => {
      const from = routedRequest(context.request)
      const found = from.handlers.ofOperation.get(operation)
      if (!found) throw new Error(`The service has no ${operation.method} ${operation.path}.`)
      return found(context, from)
    }
    app.route(operation.method, operation.path, handle, { parse: 'none' })
  }
  app.all('/*', ({ request }) => {
    const { handlers, address } = routedRequest(request)
    return handlers.ofUnknown(request, address)
  })
  return { app, routedRequests }
}

const routers = new WeakMap<readonly OfferedOperation[], Router>()

/** The application of a list of operations. Services with the same list share it: to build and compile it takes milliseconds. */
function routerOf(operations: readonly OfferedOperation[]): Router {
  const router = routers.get(operations) ?? buildRouter(operations)
  routers.set(operations, router)
  return router
}

/** Mounts the operations. @param onRequest called for every request when its response is ready */
export function mount(
  services: Services,
  operations: readonly OfferedOperation[],
  onRequest: (request: LoggedRequest) => void = () => {},
): MountedApp {
  const { app, routedRequests } = routerOf(operations)
  const handlerOf = ({ method, path, load }: OfferedOperation): Handler => {
    const perform = lazyHandler(services, `${method} ${path}`, load)
    return async ({ request, params }, { address, origin, isMonitor }) => {
      const started = performance.now()
      let caller: LoggedRequest['caller']
      let isNamed = true
      const response = await perform({
        request,
        params: params ?? {},
        address,
        origin,
        isMonitor,
        onCaller: (who) => {
          isNamed = who !== undefined
          if (who?.kind === 'staff') caller = { kind: 'user', _id: who.user._id }
          else if (who?.kind === 'participant') caller = { kind: 'participant', _id: who.participant }
        },
      })
      const { status } = response
      const requestId = newRequestId()
      if (status >= 500) response.headers.set('X-Request-Id', requestId)
      const milliseconds = performance.now() - started
      const from = isNamed ? { address, caller } : {}
      onRequest({ method, pattern: path, status, milliseconds, requestId, ...from })
      return response
    }
  }
  const unknown = unknownPath(operations)
  const handlers: Handlers = {
    ofOperation: new Map(operations.map((operation) => [operation, handlerOf(operation)])),
    ofUnknown(request, address) {
      const problem = unknown(request)
      const requestId = newRequestId()
      onRequest({ method: request.method, pattern: undefined, status: 404, milliseconds: 0, requestId, address })
      const { status, body, headers } = problem
      return isFhirUrl(request.url)
        ? toResponse(services, status, outcomeOf(status, body), { ...headers, ...FHIR_HEADERS })
        : toResponse(services, status, body, headers)
    },
  }
  return {
    async handle(sent, address, origin, isMonitor) {
      const request = withLongHost(sent)
      routedRequests.set(request, { address, origin, isMonitor, handlers })
      try {
        return await app.handle(request)
      } catch (reason) {
        services.fault(reason, 'routing')
        const { status, body } = refusalOf(reason)
        return toResponse(services, status, body)
      }
    },
  }
}

/**
 * Performs an operation that is loaded and compiled at its first request: to do so with all of them would make every start slow. Its
 * requests wait meanwhile. An error of the load is a defect, and the next request tries again.
 */
function lazyHandler(services: Services, name: string, load: OfferedOperation['load']): RequestHandler {
  const compiled = onceAsync(async () => {
    const { op, fields } = await load()
    return createHandler(services, op, fields)
  })
  return async (incoming) => {
    let perform: RequestHandler
    try {
      const found = compiled()
      perform = found instanceof Promise ? await found : found
    } catch (reason) {
      services.fault(reason, name)
      const { status, body } = refusalOf(reason)
      return toResponse(services, status, body)
    }
    return perform(incoming)
  }
}

/**
 * Elysia looks for the path of a URL after its eleventh character, and so finds none after a short host name (`http://nas/`). Its
 * option `standardHostname: false` mends that for `http:` only.
 */
function withLongHost(request: Request): Request {
  const { url } = request
  const start = url.indexOf('/', url.indexOf('://') + 3)
  return start >= 11 ? request : new Request(`http://localhost${url.slice(start)}`, request)
}
