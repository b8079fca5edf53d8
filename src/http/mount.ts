/** The list of operations as an Elysia application. Elysia finds the operation; the pipeline does the rest. */
import { Elysia } from 'elysia'
import { newSecret } from '#kernel/id'
import { lazily } from '#kernel/lazily'
import { refuse } from '#kernel/problem'
import { answer } from './answer'
import type { AnyOperation } from './operation'
import { performer } from './perform'
import type { Services } from './services'

/** What the log is told of a request: the operation's pattern, never the path with its ids, tokens or query. */
export type Noticed = {
  method: string
  /** Undefined where no operation was meant. */
  pattern: string | undefined
  status: number
  milliseconds: number
  /** Said by an answer that is a fault too, so that a report leads to the line of the log. */
  requestId: string
  caller?: { kind: 'user' | 'participant'; _id: string }
}

export type Mounted = { handle(request: Request, address: string | null): Promise<Response> }

const started = newSecret().slice(0, 8)
let count = 0
/** Unlike any other of this or another run. */
export const newRequestId = (): string => `${started}-${(++count).toString(36)}`

type Incoming = { request: Request; params: Record<string, string>; address: string | null }

/** Mounts the operations. @param noticed told of every request once it is answered */
export function mount(
  services: Services,
  operations: readonly AnyOperation[],
  noticed: (request: Noticed) => void = () => {},
): Mounted {
  const addresses = new WeakMap<Request, string | null>()
  const app = new Elysia({ aot: true })
  for (const op of operations) {
    // Compiled when it is first asked for: some hundred operations would make every start slow.
    const perform = lazily(() => performer(services, op))
    const handle = async ({ request, params }: Incoming): Promise<Response> => {
      const started = performance.now()
      let caller: Noticed['caller']
      const response = await perform({
        request,
        params: params ?? {},
        address: addresses.get(request) ?? null,
        notice: (who) => {
          if (who.kind === 'staff') caller = { kind: 'user', _id: who.user._id }
          else if (who.kind === 'participant') caller = { kind: 'participant', _id: who.participant }
        },
      })
      const { status } = response
      const requestId = newRequestId()
      if (status >= 500) response.headers.set('X-Request-Id', requestId)
      const milliseconds = performance.now() - started
      noticed({ method: op.method, pattern: op.path, status, milliseconds, requestId, caller })
      return response
    }
    app.route(op.method, op.path, handle as never, { parse: 'none' } as never)
  }
  app.all('/*', ({ request }) => {
    const problem = refuse.missing('operation')
    const requestId = newRequestId()
    noticed({ method: request.method, pattern: undefined, status: 404, milliseconds: 0, requestId })
    return answer(services, problem.status, problem.body)
  })
  return {
    async handle(request, address) {
      addresses.set(request, address)
      try {
        return await app.handle(request)
      } catch (reason) {
        services.fault(reason, 'routing')
        return answer(services, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      }
    },
  }
}
