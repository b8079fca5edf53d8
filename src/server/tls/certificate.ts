/** The certificate that the server shows to browsers and apps. */
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { nodeCrypto } from '#kernel/cryptography'
import { fault, isFault } from '#kernel/fault'
import { DAY, type Instant, instantText } from '#kernel/time'
import type { Config } from '#server/config/settings'
import {
  type CheckedCertificate,
  checkCertificate,
  isGivenOut,
  readAuthority,
  readInstalled,
  readOwn,
  storeAuthority,
  storedText,
  storeOwn,
} from './certificateFiles'
import { isPermitted, permittedNames, requiredNames, wantedNames } from './names'

/** The certificate of the server: PEM texts, and the fingerprint by which users recognise it. */
export type Certificate = CheckedCertificate &
  Readonly<{
    /** Whether an authority that others run has signed it, so that browsers that reach the server by its name do trust it. */
    isSigned: boolean
    /** The authority in this data directory that signed it; a device that trusts it trusts each later certificate, too. */
    authority?: CheckedCertificate
    /** What a person should know, in sentences: for example which name of the server is not in the certificate. */
    notices: readonly string[]
  }>

/** A certificate is renewed when less than this is left. */
export const RENEW_DAYS = 30

const dayOf = (at: Instant) => instantText(at).slice(0, 10)

/**
 * The certificate that the configuration asks for; undefined with `--tls off`. With `--tls auto` it is the one that was installed,
 * as long as it is valid, or one that the server's own authority signs: at the first start, when fewer than 30 days are left,
 * and when the machine has a name or an IPv4 address that is not in it.
 * @param folder of the certificates of the data directory
 * @throws a fault if the configured files are not valid
 */
export async function certificateFor(config: Config, folder: string, now: Instant): Promise<Certificate | undefined> {
  if (config.tls === 'off') return undefined
  if (config.tls !== 'auto') return { ...readConfigured(config.tls, now), notices: openKey(config.tls.key) }
  const { installed, notice } = installedAt(folder, now)
  if (installed) return { ...installed, notices: missingNames(installed, config) }
  const own = await ownCertificate(config, folder, now)
  return { ...own, notices: [...notice, ...own.notices] }
}

/** The installed certificate if it can be used now, or a sentence that says why not. */
function installedAt(folder: string, now: Instant): { installed?: CheckedCertificate; notice: string[] } {
  try {
    const installed = readInstalled(folder)
    if (!installed) return { notice: [] }
    if (installed.expiresAt > now && installed.startsAt <= now) return { installed, notice: [] }
    const text = installed.expiresAt <= now ? `ended on ${dayOf(installed.expiresAt)}` : 'is not valid yet'
    return { notice: [`The installed certificate ${text}: the server uses its own until a new one is installed.`] }
  } catch (error) {
    if (!isFault(error)) throw error
    return { notice: ['The installed certificate is damaged: the server uses its own until it is installed again.'] }
  }
}

const coversName = (certificate: CheckedCertificate) => {
  const parsed = new (nodeCrypto().X509Certificate)(certificate.cert)
  return (name: string) => (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined
}

/** Only the public address counts: others may be in another certificate's names on purpose. */
export function missingNames(installed: CheckedCertificate, { publicUrl }: Config): string[] {
  const name = publicUrl && new URL(publicUrl).hostname.replace(/^\[|\]$/g, '')
  if (!name || coversName(installed)(name)) return []
  return [`The installed certificate is not for ${name}, the name of --public-url: browsers will refuse it there.`]
}

const isGood = (certificate: CheckedCertificate, names: readonly string[], now: Instant): boolean =>
  certificate.expiresAt - now > RENEW_DAYS * DAY && names.every(coversName(certificate))

function isSignedBy({ cert }: CheckedCertificate, authority: CheckedCertificate): boolean {
  const { X509Certificate } = nodeCrypto()
  const [own, signer] = [new X509Certificate(cert), new X509Certificate(authority.cert)]
  return own.checkIssued(signer) && own.verify(signer.publicKey)
}

async function ownCertificate(config: Config, folder: string, now: Instant): Promise<Certificate> {
  const required = requiredNames(config)
  const found = readAuthority(folder)
  const authority = found && found.expiresAt - now > RENEW_DAYS * DAY ? found : undefined
  const last = readOwn(folder)
  const own = authority && last && isSignedBy(last, authority) ? last : undefined
  if (authority && own && isGood(own, required, now)) return { ...own, isSigned: false, authority, notices: [] }
  const { permittedBy, signFor } = await import('./authority') // slow to load, and needed once in two months
  const isGiven = isGivenOut(folder)
  const allows = (signer: CheckedCertificate) => {
    const permitted = permittedBy(signer.cert)
    return (name: string) => isPermitted(name, permitted)
  }
  const isUsable = authority && (isGiven || required.every(allows(authority)))
  const notices = isGiven && !authority ? [found ? ENDED : LOST] : []
  const signer = isUsable ? authority : await makeNewAuthority(config, folder, now)
  const isAllowed = allows(signer)
  for (const name of required.filter((each) => !isAllowed(each)))
    notices.push(
      `The certificate is not for ${name}, because the server's authority may not sign for it. \`trialbox certificate new-authority\` makes one that may; each device must trust it again.`,
    )
  if (own && signer === authority && isGood(own, required.filter(isAllowed), now))
    return { ...own, isSigned: false, authority, notices }
  const pair = await signFor(signer, wantedNames(config).filter(isAllowed), now)
  storeOwn(folder, pair)
  return { ...checkCertificate(pair.cert, pair.key), isSigned: false, authority: signer, notices }
}

const LOST =
  'The file of the server’s own authority was damaged or lost. A new one was made: each device must trust it again.'
const ENDED = 'The server’s own authority ended after 20 years. A new one was made: each device must trust it again.'

/** Makes and stores an authority for the names of this machine and of the configuration. */
export async function makeNewAuthority(config: Config, folder: string, now: Instant): Promise<CheckedCertificate> {
  const { makeAuthority } = await import('./authority')
  const pair = await makeAuthority(`Trialbox on ${hostname()}`.slice(0, 64), permittedNames(config), now)
  storeAuthority(folder, pair)
  return checkCertificate(pair.cert, pair.key)
}

/** Reads and checks a certificate and a key from files. */
function readConfigured(paths: { cert: string; key: string }, now: Instant): CheckedCertificate {
  const certificate = checkCertificate(readText(paths.cert), readText(paths.key), { ...paths, option: '--tls: ' })
  if (certificate.expiresAt <= now)
    throw fault(
      `The certificate ${paths.cert} ended on ${dayOf(certificate.expiresAt)}: get a new one, or use --tls auto.`,
    )
  if (certificate.startsAt > now)
    throw fault(
      `The certificate ${paths.cert} is only valid from ${dayOf(certificate.startsAt)} on: check it and the clock.`,
    )
  return certificate
}

/** Windows has no such rights of files. The file may be gone for a moment, while another one takes its place. */
function openKey(path: string): string[] {
  const { mode = 0 } = statSync(path, { throwIfNoEntry: false }) ?? {}
  if (process.platform === 'win32' || !(mode & 0o004)) return []
  return [`Every user of this machine can read the key ${path}: allow it to the account of the server only.`]
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fault(`--tls: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** The certificate that a server of this directory shows now, read without changing anything; undefined if none was made. */
export function shownCertificate(config: Config, folder: string, now: Instant): CheckedCertificate | undefined {
  if (config.tls === 'off') return undefined
  if (config.tls !== 'auto') return readConfigured(config.tls, now)
  return (
    installedAt(folder, now).installed ?? (storedText(folder, 'cert.pem') === undefined ? undefined : readOwn(folder))
  )
}
