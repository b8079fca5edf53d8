/** The file `secrets` of a data directory: the keys of the server, and what marks the directory (docs/running.md, "The data directory"). */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { CopyOrigin } from '#http/services'
import { fault } from '#kernel/fault'
import { newSecret } from '#kernel/id'
import type { Key } from '#kernel/keyring'
import { type Instant, instantText, parseInstant } from '#kernel/time'
import { serviceVersion } from '#kernel/version'
import { writeDurably } from './durableFile'

/**
 * Increased when the file or the layout of the directory changes in a way that older versions would misread. They read the first as
 * they always did; they would send from a restored copy, and would not know more than one key.
 */
const [PLAIN, COPY, ROTATED] = [1, 2, 3]

const SECRET = /^[A-Za-z0-9_-]{43}$/

type EarlierKey = { version: number; secret: string; since: string | null; until: string }

/**
 * `isUnused`: no server has made the database yet. Without it, a missing database is a loss and not a first start. `test` marks
 * the directory of a test server, whose passwords are hashed at the lowest cost.
 */
type Secrets = {
  format: number
  madeBy: string
  /** The current key. */
  secret: string
  /** Which it is, and since when, once the keys were rotated. */
  version?: number
  since?: string
  /** The keys before it that are still there, the newest first. */
  earlier?: EarlierKey[]
  isUnused?: boolean
  test?: true
  /** Present while the directory is a restored copy. */
  copyOf?: CopyOrigin
}

/** A version of the secret. `since`: null for the first, which is as old as the directory. `until`: null for the current one. */
export type DatedKey = Key & { since: Instant | null; until: Instant | null }

/** Makes the secrets of a directory. */
export const makeSecrets = (root: string, marks: Pick<Secrets, 'isUnused' | 'test'> = {}): void =>
  writeSecrets(root, { format: PLAIN, madeBy: serviceVersion, secret: newSecret(), ...marks })

/** The keys of a directory, the current one first. */
export function datedKeys(root: string): readonly [DatedKey, ...DatedKey[]] {
  const { secret, version = 1, since = null, earlier = [] } = readSecrets(root)
  const at = (text: string | null) => (text === null ? null : (parseInstant(text) ?? null))
  return [
    { version, secret, since: at(since), until: null },
    ...earlier.map((each) => ({ ...each, since: at(each.since), until: at(each.until) })),
  ]
}

/** Adds a key, which is the current one from now on. Returns its version. */
export function addKey(root: string, now: Instant): number {
  const { secret, version = 1, since = null, earlier = [], ...marks } = readSecrets(root)
  const until = instantText(now)
  const next = { secret: newSecret(), version: version + 1, since: until }
  writeSecrets(root, { ...marks, ...next, earlier: [{ version, secret, since, until }, ...earlier] })
  return next.version
}

/** Removes these keys, but never the current one. */
export function removeKeys(root: string, versions: readonly number[]): void {
  const { earlier = [], ...secrets } = readSecrets(root)
  const left = earlier.filter(({ version }) => !versions.includes(version))
  writeSecrets(root, { ...secrets, ...(left.length && { earlier: left }) })
}

/** Whether the keys were ever rotated: then only a version that knows of that reads the directory. */
export const isRotated = (root: string): boolean => readSecrets(root).version !== undefined

/** Whether a test server made the directory, or a backup of such a directory was restored into it. */
export const isTestDirectory = (root: string): boolean => readSecrets(root).test === true

/** What the directory is a copy of; undefined if it is not a copy, or went live. */
export const copyOf = (root: string): CopyOrigin | undefined => readSecrets(root).copyOf

/** Marks a directory as a restored copy, which sends nothing; or, without `copy`, as live. */
export function markCopy(root: string, copy: CopyOrigin | undefined): void {
  const { copyOf: _, ...secrets } = readSecrets(root)
  writeSecrets(root, { ...secrets, ...(copy && { copyOf: copy }) })
}

/** Records that the database is made: from then on, no server starts without it. */
export function markUsed(root: string): void {
  const { isUnused, ...secrets } = readSecrets(root)
  if (isUnused) writeSecrets(root, secrets)
}

/** An older version that would misread the file refuses the directory, and names the version that wrote it. */
function writeSecrets(root: string, secrets: Secrets): void {
  const format = secrets.version !== undefined ? ROTATED : secrets.copyOf ? COPY : PLAIN
  const madeBy = format === PLAIN ? secrets.madeBy : serviceVersion
  writeDurably(join(root, 'secrets'), `${JSON.stringify({ ...secrets, format, madeBy })}\n`)
}

const isVersion = (value: unknown) => Number.isInteger(value) && Number(value) >= 1
const isMoment = (value: unknown) => typeof value === 'string' && parseInstant(value) !== undefined
const isSecret = (value: unknown) => typeof value === 'string' && SECRET.test(value)

const isEarlier = ({ version, secret, since, until }: Partial<EarlierKey>): boolean =>
  isVersion(version) && isSecret(secret) && (since === null || isMoment(since)) && isMoment(until)

function isWhole({ format, secret, version, since, earlier }: Partial<Secrets>): boolean {
  const isDated = version === undefined ? since === undefined : isVersion(version) && isMoment(since)
  const others = earlier ?? []
  return Number.isInteger(format) && isSecret(secret) && isDated && Array.isArray(others) && others.every(isEarlier)
}

/** @throws a fault if there is no such file, it is damaged, or a newer version wrote it */
export function readSecrets(root: string): Secrets {
  const path = join(root, 'secrets')
  if (!existsSync(path)) throw fault(`${root} is no data directory of Trialbox yet: \`trialbox serve\` makes it one.`)
  let secrets: Partial<Secrets> | null = null
  try {
    secrets = JSON.parse(readFileSync(path, 'utf8'))
  } catch {
    // reported below, together with a file that is valid JSON but not a secrets file
  }
  const isNewer = Number.isInteger(secrets?.format) && secrets!.format! > ROTATED && isSecret(secrets!.secret)
  if (isNewer)
    throw fault(
      `${root} was made by Trialbox ${secrets!.madeBy}, which is newer than this one (${serviceVersion}): use that version or a later one.`,
    )
  if (!secrets || !isWhole(secrets)) throw fault(`${path} is damaged or cannot be read: bring it back from a backup.`)
  return secrets as Secrets
}
