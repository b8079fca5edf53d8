import { accessSync, constants, existsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { findLostHeads, lossText, readHeadsFile } from '#audit/headsFile'
import { openUnchecked, passesQuickCheck } from '#db/file'
import { drizzleOf, type Sqlite } from '#db/open'
import { checkSchema, newestSchema, schemaVersion } from '#db/schemaVersion'
import { schemaProblems } from '#db/verifySchema'
import { unreadablePatterns } from '#design/dataTypes/storedPatterns'
import { foodsBeside } from '#design/foods/openStore'
import { tableInfoOf } from '#design/foods/tableStore'
import { FOODS_FILE } from '#design/foods/types'
import { recordKeys } from '#documents/archives/signature'
import { isLoopback } from '#kernel/address'
import { isFault } from '#kernel/fault'
import { machineFailureText } from '#kernel/machine'
import { fingerprintOf } from '#kernel/publicKeys'
import { DAY, type Instant, instantText } from '#kernel/time'
import { wrongPacks } from '#office/dispensations/verify'
import { baseUrl, type Config, linksAreLocal } from '#server/config/settings'
import { checkDirectory, readDataDirectory, requireDatabase } from '#server/process/dataDirectory'
import { freeSpaceAt } from '#server/process/freeSpace'
import { type Holder, holderOf, isHeld } from '#server/process/lock'
import { unreadableIn } from '#server/secrets/renew'
import { earlierKeys } from '#server/secrets/rotate'
import { linesOf } from '#server/secrets/verify'
import { shownCertificate } from '#server/tls/certificate'
import { clockProblem } from './clock'
import { newestEntryAt } from './store'

/** The result of one check. */
export type Finding = { name: string; isFine: boolean; detail: string }

const GIGABYTE = 1024 ** 3
const LEAST_FREE = GIGABYTE
const WARN_DAYS = 14

const fine = (name: string, detail: string): Finding => ({ name, isFine: true, detail })
const wrong = (name: string, detail: string): Finding => ({ name, isFine: false, detail })

/** Checks all that the server needs and yields one finding per check. It changes nothing; a server may be running. */
export async function* examine(config: Config, now: Instant): AsyncGenerator<Finding> {
  const isMade = existsSync(join(config.data, 'secrets'))
  const holder = isMade && isHeld(config.data) ? (holderOf(config.data) ?? { pid: 0 }) : undefined
  yield directoryFinding(config.data)
  yield diskFinding(config.data)
  yield* databaseFindings(config.data, now)
  yield* foodsFindings(config.data)
  yield* signingKeyFindings(config.data)
  yield clockFinding(join(config.data, 'trialbox.db'), now)
  yield certificateFinding(config, now)
  yield await portFinding(config, holder)
  yield linksFinding(config)
}

/** Which table of foods is imported, and whether it can be read; nothing if none is. */
export function* foodsFindings(data: string): Generator<Finding> {
  if (!existsSync(join(data, FOODS_FILE))) return
  try {
    const { source, foods } = tableInfoOf(foodsBeside(join(data, 'trialbox.db')))!
    yield fine('foods', `${source}: ${foods.toLocaleString('en')} foods`)
  } catch (error) {
    yield wrong('foods', (error as Error).message)
  }
}

/** The key with which the server signs study records, to be compared; nothing if there is no directory yet. */
function* signingKeyFindings(data: string): Generator<Finding> {
  if (!existsSync(join(data, 'secrets'))) return
  try {
    const { publicKey } = recordKeys(readDataDirectory(data).keysFor('storage'))
    yield fine('signing key', fingerprintOf(publicKey))
  } catch {} // the finding about the directory says what is wrong
}

/** A server that others can reach must not send them links that they cannot follow. */
function linksFinding(config: Config): Finding {
  const name = 'links'
  const start = baseUrl(config, config.port)
  if (!linksAreLocal(config)) return fine(name, `begin with ${start}`)
  const local = `begin with ${start}, which works on this machine only`
  const isReached = config.behindProxy || !isLoopback(config.host)
  return isReached ? wrong(name, `${local}: set --public-url to the address that people use`) : fine(name, local)
}

function directoryFinding(root: string): Finding {
  const name = 'data directory'
  try {
    if (!existsSync(root)) {
      accessSync(existing(root), constants.W_OK)
      return fine(name, `${root} is not there yet; \`trialbox serve\` makes it`)
    }
    checkDirectory(root)
    accessSync(root, constants.R_OK | constants.W_OK | constants.X_OK)
    if (!existsSync(join(root, 'secrets'))) return fine(name, `${root} is not used yet`)
    readDataDirectory(root)
    const modes = [root, join(root, 'secrets')].filter((path) => statSync(path).mode & 0o077)
    if (modes.length && process.platform !== 'win32') return wrong(name, `other users can read ${modes.join(' and ')}`)
    return fine(name, `${root} belongs to Trialbox and can be written`)
  } catch (error) {
    return wrong(name, isFault(error) ? error.message : `${root} cannot be written by this user`)
  }
}

/** The path itself or the nearest folder above it that exists. */
const existing = (path: string): string => (existsSync(path) || dirname(path) === path ? path : existing(dirname(path)))

function diskFinding(root: string): Finding {
  const free = freeSpaceAt(existing(root))
  const text = `${(free / GIGABYTE).toFixed(1)} GB free`
  return free < LEAST_FREE ? wrong('disk space', `${text}, less than 1 GB`) : fine('disk space', text)
}

function* databaseFindings(root: string, now: Instant): Generator<Finding> {
  const name = 'database'
  const path = join(root, 'trialbox.db')
  if (!existsSync(path) || statSync(path).size === 0) return yield missingDatabase(root)
  let database: Sqlite | undefined
  try {
    const kept = readHeadsFile(join(root, 'heads')) // before the database: a server may write both meanwhile
    database = openUnchecked(path, 5000) // a server that is just stopping has it for a moment
    if (!passesQuickCheck(database)) return yield wrong(name, `${path} is damaged: bring back a backup`)
    checkSchema(database)
    const isOlder = schemaVersion(database) < newestSchema
    const lost = isOlder || !kept.length ? [] : findLostHeads(database, kept)
    if (lost.length)
      return yield wrong(name, `lacks changes that it held before: ${lossText(lost)}. See /manual/backup#lost-changes`)
    const size = `${(statSync(path).size / 1024 ** 2).toFixed(1)} MB`
    yield fine(name, `sound, ${size}${isOlder ? ', upgraded at the next start' : ''}`)
    if (!isOlder) yield* schemaFindings(database)
    if (!isOlder) yield* patternFindings(database)
    if (!isOlder) yield* dispensingFindings(database)
    if (!isOlder) yield* keyFindings(root, database, now)
  } catch (error) {
    if (isFault(error)) return yield wrong(name, error.message)
    yield wrong(name, machineFailureText(error) ?? `${path} is damaged: bring back a backup`)
  } finally {
    database?.close()
  }
}

/** A finding if triggers, views or tables are not those of this program. */
function* schemaFindings(database: Sqlite): Generator<Finding> {
  const problems = schemaProblems(database)
  if (problems.length) yield wrong('schema', `${problems.join('; ')}. See /manual/backup#verify-faults`)
}

/** One finding for each stored pattern that this version does not take. */
function* patternFindings(database: Sqlite): Generator<Finding> {
  for (const { trial, code, problem } of unreadablePatterns(drizzleOf(database)))
    yield wrong('pattern', `of ${code} in trial ${trial}: answers are taken without it. ${problem}`)
}

/** One finding for each dispensed pack that is not of the participant's arm: a fault as long as they have it. */
function* dispensingFindings(database: Sqlite): Generator<Finding> {
  for (const { sentence, isWithParticipant } of wrongPacks(database))
    yield isWithParticipant ? wrong('dispensing', `${sentence}; they have it`) : fine('dispensing', sentence)
}

/** Whether everything that is sealed can be read, and which earlier keys are kept. */
function* keyFindings(root: string, database: Sqlite, now: Instant): Generator<Finding> {
  const name = 'secrets'
  const db = drizzleOf(database)
  for (const line of linesOf(unreadableIn(db, readDataDirectory(root).keysFor('storage')))) yield wrong(name, line)
  for (const { key, uses, isWaitOver } of earlierKeys(root, db, now)) {
    const isNeeded = uses.length || !isWaitOver
    const now = isNeeded ? 'is still needed: see `trialbox secrets list`' : 'can go: run `trialbox secrets forget`'
    yield fine(name, `key ${key.version}, which was replaced at ${instantText(key.until!)}, ${now}`)
  }
}

function clockFinding(path: string, now: Instant): Finding {
  const text = instantText(now)
  if (text < '2026') return wrong('clock', `says ${text}, which is long ago`)
  const written = existsSync(path) ? statSync(path).mtimeMs * 1000 : 0
  if (written > now + DAY)
    return wrong('clock', `says ${text}, but the database was written at ${instantText(written)}`)
  const problem = clockProblem(now, newestIn(path))
  if (problem) return wrong('clock', `${problem.text} The server would not start: see /manual/running#the-clock`)
  return fine('clock', text)
}

function missingDatabase(root: string): Finding {
  try {
    if (existsSync(join(root, 'secrets'))) requireDatabase(root)
    return fine('database', 'none yet')
  } catch (error) {
    if (!isFault(error)) throw error
    return wrong('database', error.message)
  }
}

/** When the newest entry was written; null if there is none, or if the database cannot be read; another finding reports that. */
function newestIn(path: string): Instant | null {
  if (!existsSync(path)) return null
  try {
    const sqlite = openUnchecked(path, 5000)
    try {
      return newestEntryAt(sqlite)
    } finally {
      sqlite.close()
    }
  } catch {
    return null
  }
}

function certificateFinding(config: Config, now: Instant): Finding {
  const name = 'certificate'
  if (config.tls === 'off') return fine(name, 'none, with --tls off')
  try {
    const own = config.tls === 'auto'
    const certificate = shownCertificate(config, join(config.data, 'tls'), now)
    if (!certificate) return fine(name, 'made at the next start')
    const text = `valid until ${instantText(certificate.expiresAt).slice(0, 10)}`
    const isShort = certificate.expiresAt - now < WARN_DAYS * DAY
    return isShort ? wrong(name, `${text}: ${own ? 'start again to renew it' : 'get a new one'}`) : fine(name, text)
  } catch (error) {
    if (!isFault(error)) throw error
    return wrong(name, error.message)
  }
}

async function portFinding({ host, port }: Config, holder: Holder | undefined): Promise<Finding> {
  if (holder) {
    const where = holder.address ? ` at ${holder.address}` : ''
    return fine(
      'port',
      `the server of this directory is running${where}${holder.pid ? ` (process ${holder.pid})` : ''}`,
    )
  }
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const probe = createServer()
  probe.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? 'unknown'))
  probe.listen({ port, host, exclusive: true }, () => probe.close(() => resolve(undefined)))
  const code = await promise
  if (!code) return fine('port', port ? `${port} on ${host} is free` : 'any free one')
  if (code === 'EADDRINUSE') return wrong('port', `${port} on ${host} is in use by another program`)
  return wrong('port', `${port} on ${host} cannot be used (${code})`)
}
