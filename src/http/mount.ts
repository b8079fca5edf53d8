/** The list of operations as an Elysia application. Elysia finds the operation; the pipeline does the rest. */
import { Elysia } from 'elysia'
import type { House } from '../house'
import { refuse } from '../kernel/problem'
import { answer } from './answer'
import type { AnyOperation } from './operation'
import { performer } from './perform'

/** What the log is told of a request: the operation's pattern, never the path with its ids, tokens or query. */
export type Noticed = { method: string; pattern: string; status: number; milliseconds: number; account?: string }

export type Mounted = { handle(request: Request, address: string | null): Promise<Response> }

type Incoming = { request: Request; params: Record<string, string>; address: string | null }

/** Mounts the operations. @param noticed told of every request once it is answered */
export function mount(
  house: House,
  operations: readonly AnyOperation[],
  noticed: (request: Noticed) => void = () => {},
): Mounted {
  const addresses = new WeakMap<Request, string | null>()
  const app = new Elysia({ aot: true })
  for (const op of operations) {
    const perform = performer(house, op)
    const handle = async ({ request, params }: Incoming): Promise<Response> => {
      const started = performance.now()
      let account: string | undefined
      const response = await perform({
        request,
        params: params ?? {},
        address: addresses.get(request) ?? null,
        notice: (who) => {
          account = who
        },
      })
      const milliseconds = performance.now() - started
      noticed({ method: op.method, pattern: op.path, status: response.status, milliseconds, account })
      return response
    }
    app.route(op.method, op.path, handle as never, { parse: 'none' } as never)
  }
  app.all('/*', ({ request }) => {
    const problem = refuse.missing('operation')
    noticed({ method: request.method, pattern: '(none)', status: 404, milliseconds: 0 })
    return answer(house, problem.status, problem.body)
  })
  return {
    async handle(request, address) {
      addresses.set(request, address)
      try {
        return await app.handle(request)
      } catch (reason) {
        house.fault(reason, 'routing')
        return answer(house, 500, { message: 'Something went wrong in the service; nothing was changed.' })
      }
    },
  }
}
