/** Starts the server from its configuration, and stops it in the opposite order (docs/decisions.md, "The process"). */
import { existsSync, rmSync } from 'node:fs'
import { hashForTests } from '#accounts/users/passwords'
import { hasAccount, issueFirstToken } from '#accounts/users/setup'
import type { LoggedRequest } from '#http/mount'
import type { CopyOrigin } from '#http/services'
import { type Clock, systemClock } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { closeGate } from '#outbox/gate'
import { goLive } from '#server/backup/goLive'
import { baseUrl, type Config } from '#server/config/settings'
import { withoutSenders } from '#server/config/withoutSenders'
import { checkInProcess } from '#server/health/checks'
import { clearAbandonedBackups, clearAbandonedImports } from '#server/process/abandonedFiles'
import { openDataDirectory } from '#server/process/dataDirectory'
import { type Log, openLog } from '#server/process/log'
import { copyOf, markCopy } from '#server/process/secretsFile'
import { onStop } from '#server/process/signals'
import { steadyTime } from '#server/process/uptime'
import { type Certificate, certificateFor } from '#server/tls/certificate'
import { type Renewal, watchCertificate } from '#server/tls/renewal'
import { trustOf } from '#server/tls/trust'
import { banner } from './banner'
import { listen, listenForMetrics } from './listen'
import type { Program } from './program'
import { openService, type Service } from './service'
import type { ServiceOptions } from './serviceOptions'
import type { TestService } from './testService'

const HOUR_MS = 60 * 60 * 1000
/** When a server verifies its data for the first time, in milliseconds after its start. */
const FIRST_VERIFY = HOUR_MS / 6

/** The stream for the banner: with `--log json`, stdout contains nothing but the log. */
const bannerStream = (config: Config) => (config.log === 'json' ? process.stderr : process.stdout)

/** What is added to a new service before its background tasks start: `trialbox demo` runs its study. */
export type InitialContent = {
  clock: Clock
  /** Whether the data directory is deleted when the server stops. */
  isTemporary: boolean
  /** @param setup the token of the link for the first account; undefined if there is an account already */
  fill(service: Service, where: { url: string; port: number; setup: string | undefined }): Promise<void>
}

export type StartChoices = { acceptLoss?: boolean; goLive?: boolean }

/** A start, as its steps hand it on. */
type Start = {
  program: Program
  config: Config
  initial: InitialContent | undefined
  choices: StartChoices
  log: Log
  /** What a stop does, the last first. */
  closeSteps: (() => unknown)[]
  /** Whether the initial content is being made: then requests are not logged. */
  isFilling: boolean
}

/** The certificate of the start, and what shows a newer one later. */
type Tls = { certificate: Certificate | undefined; renewal?: Renewal }
const currentCertificate = ({ certificate, renewal }: Tls) => renewal?.current() ?? certificate

/**
 * Starts the server and resolves when it accepts requests. From then on a signal ends the process: with 0 when
 * every request in progress is answered and on disk.
 * @param choices what is given for one start: to go on if the database lacks changes that it held before; to let a restored copy send
 * @throws a fault if it cannot start; nothing is locked or left open then
 */
export async function serve(
  program: Program,
  config: Config,
  initial?: InitialContent,
  choices: StartChoices = {},
): Promise<void> {
  // With --test, stdout is reserved for the one line that announces the server.
  const log = openLog(config.log, config.test ? process.stderr : process.stdout)
  const closeSteps: Start['closeSteps'] = [log.close]
  const start: Start = { program, config, initial, choices, log, closeSteps, isFilling: initial !== undefined }
  const close = async () => {
    for (const step of closeSteps.splice(0).reverse()) await step()
  }
  try {
    const data = takeDirectory(start)
    const { root, tls: folder } = data.directory
    const tls: Tls = { certificate: await certificateFor(config, folder, systemClock.now()) }
    const { service, test } = await openConfigured(start, data, tls)
    closeSteps.push(service.close, service.finish)
    data.markUsed()
    await addLanguagesOf(start)
    if (choices.goLive) startSending(service, root, data.restored, log)
    const port = listenConfigured(start, service, folder, tls)
    // Signals are handled before anything reports that the server runs: a program that reads the report may stop it at once.
    const stop = keepRunning(log, close, () => tls.renewal?.look())
    // With `--port 0` the port is known only now. No request was answered yet.
    const url = baseUrl(config, port)
    data.lock.recordAddress(url)
    if (test) (await import('./testService')).announceTest(test, url, config.isDetached, stop)
    else await announce(start, service, { url, port }, tls)
    start.isFilling = false
    service.start()
    log.event('info', 'started', { port })
  } catch (error) {
    await close()
    throw error
  }
}

/** Adds the languages of the site to those of the pages, if it has some. */
async function addLanguagesOf({ config, log }: Start): Promise<void> {
  if (!existsSync(config.languages)) return
  const { addLanguages } = await import('#web/languages/load')
  const added = await addLanguages(config.languages, (line) => log.event('warn', line))
  if (added.length) log.event('info', `pages also have the languages ${added.join(', ')}`)
}

/** Locks the data directory, and removes what interrupted commands left in it. A restored copy sends nothing from now on. */
function takeDirectory({ config, initial, choices, log, closeSteps }: Start) {
  if (config.test || initial?.isTemporary) closeSteps.push(() => rmSync(config.data, { recursive: true, force: true }))
  if (config.test) hashForTests()
  const { directory, lock, markUsed } = openDataDirectory(config.data, config.test)
  closeSteps.push(lock.release)
  // The log is closed after a temporary directory is gone, and would make it anew.
  if (config.logDir !== undefined && !initial?.isTemporary) log.writeFilesTo(config.logDir)
  const left = clearAbandonedBackups(directory.backups)
  clearAbandonedImports(directory.root)
  for (const path of left) log.event('info', `removed ${path}, which an interrupted backup left`)
  const restored = copyOf(directory.root)
  const copy = choices.goLive ? undefined : restored
  if (copy) {
    closeGate()
    log.event('warn', 'this is a restored copy, which sends nothing; --go-live lets it send')
  }
  return { directory, lock, markUsed, restored, copy }
}
type TakenDirectory = ReturnType<typeof takeDirectory>

/** Opens the service as it is configured: with `--test` a test service, which is also `test`. */
async function openConfigured(
  start: Start,
  { directory, copy }: TakenDirectory,
  tls: Tls,
): Promise<{ service: Service; test?: TestService }> {
  const { program, config, initial, choices, log } = start
  const { ai, messages, outgoing, giftCards, wearables } = copy ? withoutSenders(config) : config
  const options = {
    directory: directory.root,
    publicUrl: config.publicUrl ?? '',
    version: serviceVersion,
    storageKey: directory.keysFor('storage'),
    rateLimit: config.rateLimit,
    quotas: config.quotas,
    ...{ ai, messages, outgoing, giftCards, wearables },
    copyOf: copy,
    pushKey: directory.keysFor('push'),
    acceptLoss: choices.acceptLoss ?? false,
    certificateExpiresAt: () => currentCertificate(tls)?.expiresAt,
    acceptClock: config.acceptClock,
    checks: config.test
      ? undefined
      : { ...checkInProcess(directory.root), first: FIRST_VERIFY, every: config.verifyEvery * HOUR_MS },
    onRequest: (request) => start.isFilling || log.request(lineOf(request)),
    onDelivery: ({ status, ...rest }) => log.event(status === 'sent' ? 'info' : 'warn', `message ${status}`, rest),
    onClock: (line) => log.event('warn', line),
    onUpgrade: (line) => log.event('info', line),
    fault: (reason, about) => log.failure(about, reason),
  } satisfies Omit<ServiceOptions, 'clock'>
  if (config.test) {
    const { openTestService } = await import('./testService')
    const ofTest = { machine: systemClock, hasLimits: config.hasLimits }
    const test = await openTestService(program, { ...options, ...ofTest })
    return { service: test, test }
  }
  const time = initial ? { clock: initial.clock } : { clock: systemClock, steady: steadyTime() }
  return { service: openService(program, { ...options, ...time }) }
}

/** Listens where it is configured, and shows newer certificates as they come. Returns the port. */
function listenConfigured({ config, log, closeSteps }: Start, service: Service, folder: string, tls: Tls): number {
  const { host, port, behindProxy: forwarded, publicUrl, metricsToken, metricsAt, corsOrigins } = config
  const { certificate } = tls
  const httpServer = listen(service, {
    ...{ host, port, certificate, forwarded, publicUrl, metricsToken, corsOrigins },
    hasMetrics: !metricsAt,
    trust: certificate && trustOf(folder, () => currentCertificate(tls) ?? certificate),
  })
  closeSteps.push(httpServer.stop)
  if (metricsAt) closeSteps.push(listenForMetrics(service, { ...metricsAt, token: metricsToken }).stop)
  if (certificate) {
    tls.renewal = watchCertificate(config, folder, certificate, {
      now: systemClock.now,
      show: httpServer.replaceCertificate,
      log: (level, line) => log.event(level, line),
    })
    closeSteps.push(tls.renewal.close)
  }
  return httpServer.port
}

/** Makes the initial content, or says where the server is; as long as there is no account, with the link that makes the first. */
async function announce(
  { config, initial }: Start,
  service: Service,
  { url, port }: { url: string; port: number },
  { certificate }: Tls,
): Promise<void> {
  const { services } = service
  services.publicUrl = url
  const { db, commit, clock } = services
  // A commit would delay the first answer.
  const token = hasAccount(db) ? undefined : await commit(() => issueFirstToken(db, clock.now()))
  if (initial) await initial.fill(service, { url, port, setup: token })
  else bannerStream(config).write(banner(config, port, certificate, token && `${url}/setup/${token}`))
}

/** Lets a restored copy send, before anything is sent. The mark is removed last: a start that is killed is repeated. */
function startSending(
  { services: { db, sendsBy, clock } }: Service,
  root: string,
  copy: CopyOrigin | undefined,
  log: Log,
): void {
  if (!copy) {
    log.event('warn', '--go-live changes nothing: this is no restored copy, or it went live already')
    return
  }
  const unsent = goLive(db, copy, sendsBy, clock.now())
  markCopy(root, undefined)
  log.event('info', `this copy is live now; ${unsent} messages that waited are not sent`)
}

/**
 * Keeps the process running until a signal comes; SIGHUP makes it read its certificate again. An unhandled rejection is logged and does not stop the server.
 * Returns the function that stops it as a signal does.
 */
function keepRunning(log: Log, close: () => Promise<void>, reload: () => unknown): () => void {
  process.on('unhandledRejection', (reason) => log.failure('unhandled rejection', reason))
  // A terminal that closes sends SIGHUP too, whose default is to end the process: a server that runs on is what is wanted.
  process.on('SIGHUP', reload)
  return onStop(close, (reason) => log.event('error', reason))
}

const lineOf = ({ method, pattern, status, milliseconds, requestId, address, caller }: LoggedRequest) => ({
  method,
  route: pattern,
  status,
  duration: milliseconds,
  requestId,
  address: address ?? null,
  caller,
})
