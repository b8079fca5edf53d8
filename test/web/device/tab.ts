/** A tab of the app on a device (`machine.ts`): the real code of `src/web/participant/device`, in a world of its own that can be killed. */
import { join } from 'node:path'
import * as fakes from 'fake-indexeddb'
import type { Device } from './entry'
import type { Machine } from './machine'

const { default: _, ...fake } = fakes

const never = <T>(): Promise<T> => new Promise<T>(() => {})

let script: Promise<string> | undefined

/** The script, bundled once. */
async function bundled(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'entry.ts')],
    target: 'browser',
    format: 'iife',
    throw: true,
  })
  return outputs[0]?.text() ?? ''
}

/** The clock of the device, as `Date`. */
const dateOf = (now: () => number) =>
  new Proxy(Date, {
    construct: (target, given: [number]) => (given.length ? new target(...given) : new target(now())),
    get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
  })

/** A transaction of a tab that was killed: nothing ever comes of it. */
const stalled = (): object => {
  const nothing: object = new Proxy(() => {}, {
    get: (_, name) =>
      name === 'done' ? never() : ['store', 'objectStore', 'index'].includes(String(name)) ? nothing : never,
    apply: () => nothing,
  })
  return nothing
}

export type Tab = Awaited<ReturnType<typeof openTab>>

let lastTab = 0

/** Opens the app in a tab. */
export async function openTab(machine: Machine) {
  const id = ++lastTab
  let [isKilled, asked, failing] = [false, 0, 0]
  const connections: IDBDatabase[] = []
  const writing = new Set<IDBTransaction>()
  const listeners = new Map<string, (() => void)[]>()
  const listen = (name: string, act: () => void) => void listeners.set(name, [...(listeners.get(name) ?? []), act])
  const silence = (name: string, act: () => void) =>
    void listeners.set(
      name,
      (listeners.get(name) ?? []).filter((each) => each !== act),
    )

  /** Notes which transactions are under way, so that a kill ends them. */
  function watched(db: IDBDatabase): void {
    const begin = db.transaction.bind(db)
    db.transaction = (...given: Parameters<IDBDatabase['transaction']>) => {
      if (isKilled) return stalled() as IDBTransaction
      machine.begun()
      if (given[1] === 'readwrite' && failing > 0) {
        failing--
        throw new DOMException('The device is full.', 'QuotaExceededError')
      }
      const transaction = begin(...given)
      if (transaction.mode !== 'readwrite') return transaction
      writing.add(transaction)
      for (const end of ['complete', 'abort']) transaction.addEventListener(end, () => writing.delete(transaction))
      return transaction
    }
  }
  const indexedDB = {
    open(name: string, version: number): IDBOpenDBRequest {
      if (isKilled) return new fake.IDBOpenDBRequest()
      const request = machine.idb.open(name, version)
      request.addEventListener('success', () => {
        connections.push(request.result)
        watched(request.result)
      })
      return request
    },
  }
  const fetch = (
    path: string,
    {
      method = 'GET',
      headers = {},
      body,
      signal,
    }: { method?: string; headers?: Record<string, string>; body?: unknown; signal?: AbortSignal } = {},
  ): Promise<Response> => {
    if (isKilled) return never()
    machine.begun()
    return new Promise((resolve, reject) => {
      const fail = () => reject(new TypeError('Failed to fetch'))
      const answer = (response: Response) => !isKilled && resolve(response)
      machine.line.push({ tab: id, method, path, headers, body, answer, fail: () => !isKilled && fail() })
      signal?.addEventListener('abort', () => !isKilled && fail())
    })
  }
  /** Uploads use it, as it tells how much has been sent. */
  class XMLHttpRequest {
    upload = {}
    status = 0
    responseText = ''
    onload = () => {}
    private path = ''
    private ends: (() => void)[] = []
    open(_method: string, path: string): void {
      this.path = path
    }
    setRequestHeader(): void {}
    addEventListener(_name: string, act: () => void): void {
      this.ends.push(act)
    }
    send(body: unknown): void {
      void fetch(this.path, { method: 'PUT', body }).then(
        async (answer) => {
          this.status = answer.status
          this.responseText = await answer.text()
          this.onload()
        },
        () => this.ends.at(0)?.(),
      )
    }
  }
  const timeout = (after: number): AbortSignal => {
    const controller = new AbortController()
    machine.later(id, () => controller.abort(), after)
    return controller.signal
  }
  function channel(name: string) {
    return {
      postMessage: (data: unknown) => void (isKilled || machine.tell(id, name, data)),
      addEventListener: (_: string, heard: (event: { data: unknown }) => void) => machine.listen(id, name, heard),
    }
  }
  const request = (...given: [string, object, ((lock: object | null) => Promise<unknown>)?]) => {
    const [name, second, act = second as (lock: object | null) => Promise<unknown>] = given
    return isKilled ? never() : machine.locks.request(id, name, given.length > 2 ? second : {}, act)
  }
  const persist = async () => ++asked > 0
  const document = { hidden: false, addEventListener: listen, removeEventListener: silence, querySelector: () => null }
  let device: Device | undefined
  const world: Record<string, unknown> = {
    ...fake,
    indexedDB,
    fetch,
    XMLHttpRequest,
    localStorage: { getItem: () => null },
    document,
    addEventListener: listen,
    removeEventListener: silence,
    navigator: { onLine: true, locks: { request }, storage: { persist } },
    location: { origin: 'http://device.test' },
    AbortSignal: { timeout },
    BroadcastChannel: channel,
    setTimeout: (act: () => void, after?: number) => machine.later(id, act, after),
    clearTimeout: machine.cancel,
    Date: dateOf(machine.now),
    ready: (made: Device) => {
      device = made
    },
  }
  world.globalThis = { ...world, crypto }
  script ??= bundled()
  new Function(...Object.keys(world), await script)(...Object.values(world))
  if (!device) throw new Error('The device did not begin.')
  return {
    id,
    device,
    isKilled: () => isKilled,
    /** How often the browser was asked not to delete anything. */
    asked: () => asked,
    /** The next writes fail. */
    fail(writes: number): void {
      failing = writes
    },
    /** Something happens to the window. */
    hear(name: string): void {
      for (const act of listeners.get(name) ?? []) act()
    },
    /** The system closes the database without a word. */
    closeDatabase(): void {
      for (const connection of connections.splice(0)) connection.close()
    },
    /** The page is hidden, as when the person leaves the app for another one. */
    hide(): void {
      document.hidden = true
      for (const act of listeners.get('visibilitychange') ?? []) act()
      document.hidden = false
    },
    /** The page is shown, as when the tab over it is closed. */
    show(): void {
      for (const act of listeners.get('visibilitychange') ?? []) act()
    },
    /** Nothing of the tab goes on, wherever it is. What it has not finished writing is not written. */
    kill(): void {
      isKilled = true
      machine.kill(id)
      for (const transaction of writing) {
        // Nobody is there any more who could hear of it.
        const requests: { request: IDBRequest }[] = Reflect.get(transaction, '_requests')
        for (const deaf of [transaction, ...requests.map(({ request }) => request)]) deaf.dispatchEvent = () => true
        try {
          transaction.abort()
        } catch {
          // It was about to be finished, which it is.
        }
      }
    },
  }
}
