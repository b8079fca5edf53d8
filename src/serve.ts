/** A start of the server from its configuration, in order, and its stop in the opposite one (decisions 1). */
import { rmSync } from 'node:fs'
import { baseUrl, type Config } from './config'
import { testClock } from './features/testing/clock'
import { makeTestOwner, testing } from './features/testing/world'
import { firstSetup } from './features/users/setup'
import type { Noticed } from './http/mount'
import { systemClock } from './kernel/time'
import { serviceVersion } from './kernel/version'
import { banner } from './process/banner'
import { openDataDirectory } from './process/dataDirectory'
import { type Log, openLog } from './process/log'
import { onStop } from './process/signals'
import { certificateFor } from './process/tls'
import { listen, openService } from './server'

/** Which stream the banner goes to: with `--log json`, stdout holds nothing but the log. */
const shown = (config: Config) => (config.log === 'json' ? process.stderr : process.stdout)

/**
 * Starts the server and resolves once it accepts requests. From then on the process ends by a signal: with 0 when
 * everything in flight was answered and is on disk.
 * @throws a fault where it cannot start; nothing is held or left open then
 */
export async function serve(config: Config): Promise<void> {
  // With --test stdout belongs to the one line that announces the server.
  const log = openLog(config.log, config.test ? process.stderr : process.stdout)
  const closing: (() => unknown)[] = [log.close]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    if (config.test) closing.push(() => rmSync(config.data, { recursive: true, force: true }))
    const { directory, lock } = openDataDirectory(config.data)
    closing.push(lock.release)
    const machine = systemClock
    const certificate = await certificateFor(config, directory.tls, machine.now())
    const clock = testClock(machine)
    const service = openService({
      directory: directory.root,
      clock: config.test ? clock : machine,
      publicUrl: config.publicUrl ?? '',
      version: serviceVersion,
      storageKey: directory.keyFor('storage'),
      rateLimit: config.rateLimit,
      test: config.test,
      noticed: (request) => log.request(lineOf(request)),
      fault: (reason, about) => log.failure(about, reason),
    })
    closing.push(service.close)
    const owner = config.test ? await makeTestOwner(service.house) : undefined
    const { host, behindProxy } = config
    const listening = listen(service, { host, port: config.port, certificate, forwarded: behindProxy })
    closing.push(listening.stop)
    // Only now the port is known, where any free one was asked for; no request was answered yet.
    const url = baseUrl(config, listening.port)
    service.house.publicUrl = url
    lock.tell(url)
    if (owner) {
      const announced = { url, ...owner }
      service.house.test = testing(service.house, clock, announced, service.flush)
      process.stdout.write(`${JSON.stringify(announced)}\n`)
    } else {
      const token = firstSetup(service.house.db, machine.now())
      shown(config).write(banner(config, listening.port, certificate, token && `${url}/setup/${token}`))
    }
    service.start()
  } catch (error) {
    await close()
    throw error
  }
  keepRunning(log, close)
}

/** Until a signal comes. A promise that nobody waited for is told on the log and stops nothing. */
function keepRunning(log: Log, close: () => Promise<void>): void {
  process.on('unhandledRejection', (reason) => log.failure('unhandled rejection', reason))
  onStop(close, (reason) => log.event('error', reason))
}

const lineOf = ({ method, pattern, status, milliseconds, requestId, caller }: Noticed) => ({
  method,
  route: pattern,
  status,
  duration: milliseconds,
  requestId,
  caller,
})
