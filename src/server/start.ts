/**
 * A start of the server from its configuration, in order, and its stop in the opposite one (docs/decisions.md, "The
 * process").
 */
import { rmSync } from 'node:fs'
import { firstSetup } from '#accounts/users/setup'
import type { Noticed } from '#http/mount'
import { type Clock, systemClock } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { baseUrl, type Config } from '#server/config/settings'
import { banner } from '#server/process/banner'
import { openDataDirectory } from '#server/process/dataDirectory'
import { type Log, openLog } from '#server/process/log'
import { onStop } from '#server/process/signals'
import { certificateFor } from '#server/process/tls'
import { testClock } from '#server/testing/clock'
import { makeTestOwner, testing } from '#server/testing/world'
import { listen } from './listen'
import { openService, type Service } from './service'

/** Which stream the banner goes to: with `--log json`, stdout holds nothing but the log. */
const shown = (config: Config) => (config.log === 'json' ? process.stderr : process.stdout)

/** What a start does to a new service before anything happens in it by itself: a demo runs its study. */
export type Filling = {
  clock: Clock
  /** Whether the data directory is deleted when the server stops. */
  isTemporary: boolean
  /** @param setup the token of the link for the first account; undefined where there is an account already */
  fill(service: Service, where: { url: string; port: number; setup: string | undefined }): Promise<void>
}

/**
 * Starts the server and resolves once it accepts requests. From then on the process ends by a signal: with 0 when
 * everything in flight was answered and is on disk.
 * @throws a fault where it cannot start; nothing is held or left open then
 */
export async function serve(config: Config, filling?: Filling): Promise<void> {
  // With --test stdout belongs to the one line that announces the server.
  const log = openLog(config.log, config.test ? process.stderr : process.stdout)
  const closing: (() => unknown)[] = [log.close]
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step()
  }
  try {
    if (config.test || filling?.isTemporary) closing.push(() => rmSync(config.data, { recursive: true, force: true }))
    const { directory, lock } = openDataDirectory(config.data)
    closing.push(lock.release)
    const machine = systemClock
    const certificate = await certificateFor(config, directory.tls, machine.now())
    const clock = testClock(machine)
    let isFilling = filling !== undefined
    const service = openService({
      directory: directory.root,
      clock: config.test ? clock : (filling?.clock ?? machine),
      publicUrl: config.publicUrl ?? '',
      version: serviceVersion,
      storageKey: directory.keyFor('storage'),
      rateLimit: config.rateLimit,
      ai: config.ai,
      messages: config.messages,
      pushKey: directory.keyFor('push'),
      test: config.test,
      noticed: (request) => isFilling || log.request(lineOf(request)),
      carried: ({ status, ...rest }) => log.event(status === 'sent' ? 'info' : 'warn', `message ${status}`, rest),
      upgraded: (line) => log.event('info', line),
      fault: (reason, about) => log.failure(about, reason),
    })
    closing.push(service.close, service.finish)
    const owner = config.test ? await makeTestOwner(service.services) : undefined
    const { host, port, behindProxy: forwarded, metricsToken } = config
    const listening = listen(service, { host, port, certificate, forwarded, metricsToken })
    closing.push(listening.stop)
    // Before anything says that it runs: whoever reads that may stop it at once.
    keepRunning(log, close)
    // Only now the port is known, where any free one was asked for; no request was answered yet.
    const url = baseUrl(config, listening.port)
    service.services.publicUrl = url
    lock.tell(url)
    if (owner) {
      const announced = { url, ...owner }
      service.services.test = testing(service.services, clock, announced, service.flush)
      process.stdout.write(`${JSON.stringify(announced)}\n`)
    } else {
      const token = firstSetup(service.services.db, service.services.clock.now())
      if (filling) await filling.fill(service, { url, port: listening.port, setup: token })
      else shown(config).write(banner(config, listening.port, certificate, token && `${url}/setup/${token}`))
    }
    isFilling = false
    service.start()
    log.event('info', 'started', { port: listening.port })
  } catch (error) {
    await close()
    throw error
  }
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
