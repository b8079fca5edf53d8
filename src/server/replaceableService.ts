/** A service that can be replaced by one on other data, without a stop of the server. */
import type { Service } from './service'

export type ReplaceableService = Service & {
  /**
   * Closes the service, calls `change`, and opens a new one. Running requests are finished first; requests that arrive meanwhile
   * wait. The caller of a request may call it, but must not wait for it in the request.
   */
  replace(change: () => void): Promise<void>
}

/** How long a replacement waits for running requests, in milliseconds. Those that take longer fail. */
const PATIENCE_MS = 10_000

/** @param open opens the service, at first and again for each replacement */
export function openReplaceable(open: () => Service): ReplaceableService {
  let current = open()
  let isStarted = false
  let running = 0
  let whenIdle: (() => void) | undefined
  let replacing: Promise<void> | undefined

  /** Performs a request with the current service, after a replacement that is under way. */
  async function perform<T>(request: () => Promise<T>): Promise<T> {
    while (replacing) await replacing
    running++
    try {
      return await request()
    } finally {
      if (--running === 0) whenIdle?.()
      while (replacing) await replacing // the response to the request that asked for it says that it is done
    }
  }

  async function replaceWhenIdle(change: () => void, earlier: Promise<void> | undefined): Promise<void> {
    await earlier
    const idle = new Promise<void>((resolve) => (running ? (whenIdle = resolve) : resolve()))
    await Promise.race([idle, Bun.sleep(PATIENCE_MS)])
    const { publicUrl } = current.services
    await current.finish()
    current.close()
    try {
      change()
    } finally {
      current = open()
      current.services.publicUrl = publicUrl
      if (isStarted) current.start()
    }
  }

  return {
    get services() {
      return current.services
    },
    operations: () => current.operations(),
    get metrics() {
      return current.metrics
    },
    handle: (...input) => perform(() => current.handle(...input)),
    storage: (request, server, address) => perform(() => current.storage(request, server, address)),
    calendar: (request, address) => perform(async () => current.calendar(request, address)),
    meetingRoom: (...input) => perform(() => current.meetingRoom(...input)),
    closeRooms: () => current.closeRooms(),
    onRequest: (request) => current.onRequest(request),
    flush: () => current.flush(),
    start() {
      isStarted = true
      current.start()
    },
    finish: () => current.finish(),
    close: () => current.close(),
    replace(change) {
      // Set at once: a request that arrives from now on waits.
      const own = replaceWhenIdle(change, replacing)
        .catch((reason) => current.services.fault(reason, 'restoring a snapshot'))
        .finally(() => {
          if (replacing === own) replacing = undefined
        })
      replacing = own
      return own
    },
  }
}
