import type { KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { bareHost, isWildcardAddress } from '#kernel/address'
import { nodeCrypto } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { DAY, type Instant } from '#kernel/time'
import type { Config } from '#server/config/settings'
import { writeDurably } from './durableFile'

/** The certificate of the server: PEM texts, and the fingerprint by which users recognise it. */
export type Certificate = Readonly<{
  cert: string
  key: string
  /** SHA-256 of the certificate, `AB:CD:…`. */
  fingerprint: string
  expiresAt: Instant
  /** Whether Trialbox made it; browsers then warn until they are told to trust it. */
  isOwn: boolean
  /** Whether an authority has signed it, so that browsers that reach the server by its name do trust it. */
  isSigned: boolean
}>

/** The maximum that Apple's systems accept. It includes one day of back-dating, for clients whose clock is slow. */
const VALID_DAYS = 825
const RENEW_DAYS = 30

/**
 * The certificate that the configuration asks for; undefined with `--tls off`. The server makes its own on first start, and again
 * when fewer than 30 days are left or when the machine has a name or an IPv4 address that is not in it.
 * @param folder of the server's own certificate
 * @throws a fault if the configured files are not valid
 */
export async function certificateFor(config: Config, folder: string, now: Instant): Promise<Certificate | undefined> {
  if (config.tls === 'off') return undefined
  if (config.tls !== 'auto') return readGiven(config.tls, now)
  const own = readOwn(folder)
  if (own && isGood(own, requiredNames(config), now)) return own
  return makeOwn(folder, wantedNames(config), now)
}

/** Reads the server's own certificate from the folder; undefined if there is none or certificate and key do not match. */
export function readOwn(folder: string): Certificate | undefined {
  const paths = { cert: join(folder, 'cert.pem'), key: join(folder, 'key.pem') }
  if (!existsSync(paths.cert) || !existsSync(paths.key)) return undefined
  try {
    return checked(readFileSync(paths.cert, 'utf8'), readFileSync(paths.key, 'utf8'), true)
  } catch {
    return undefined // its renewal was interrupted, or it is damaged: a new one replaces it
  }
}

const isGood = (certificate: Certificate, names: readonly string[], now: Instant): boolean => {
  const parsed = new (nodeCrypto().X509Certificate)(certificate.cert)
  const holds = (name: string) => (isIP(name) ? parsed.checkIP(name) : parsed.checkHost(name)) !== undefined
  return certificate.expiresAt - now > RENEW_DAYS * DAY && names.every(holds)
}

/** Names that the certificate must contain. IPv6 addresses of the machine are not among them: many change daily. */
function requiredNames(config: Config): string[] {
  const addresses = machineAddresses().filter((address) => isIP(address) === 4)
  const chosen = [config.host, config.publicUrl && bareHost(new URL(config.publicUrl).hostname)]
  const names = [
    ...chosen.filter((name) => name && !isWildcardAddress(name)),
    hostname(),
    'localhost',
    '127.0.0.1',
    '::1',
  ] as string[]
  return [...new Set([...names, ...addresses].map((name) => name.toLowerCase()))].filter(isName)
}

const wantedNames = (config: Config): string[] => [...new Set([...requiredNames(config), ...machineAddresses()])]

const isName = (name: string): boolean => isIP(name) !== 0 || /^[a-z0-9-]+(\.[a-z0-9-]+)*$/.test(name)

/** The machine's addresses that others can use, without loopback and link-local addresses. */
export const machineAddresses = (): string[] =>
  Object.values(networkInterfaces())
    .flatMap((addresses) => addresses ?? [])
    .filter(({ internal, address }) => !internal && !/^(fe80|169\.254)/i.test(address))
    .map(({ address }) => address)

async function makeOwn(folder: string, names: readonly string[], now: Instant): Promise<Certificate> {
  const { generate } = await import('selfsigned') // slow to load, and needed only once in two years
  const notBefore = now - DAY
  const pair = await generate([{ name: 'commonName', value: 'Trialbox' }], {
    keyType: 'ec',
    curve: 'P-256',
    algorithm: 'sha256',
    notBeforeDate: new Date(notBefore / 1000),
    notAfterDate: new Date((notBefore + VALID_DAYS * DAY) / 1000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: names.map((name) => (isIP(name) ? { type: 7, ip: name } : { type: 2, value: name })),
      },
    ],
  })
  writeDurably(join(folder, 'key.pem'), pair.private)
  writeDurably(join(folder, 'cert.pem'), pair.cert)
  return checked(pair.cert, pair.private, true)
}

/** Reads and checks a certificate and a key from files. */
export function readGiven(paths: { cert: string; key: string }, now: Instant): Certificate {
  const certificate = checked(readText(paths.cert), readText(paths.key), false, paths)
  const from = Date.parse(new (nodeCrypto().X509Certificate)(certificate.cert).validFrom) * 1000
  const day = (at: Instant) => new Date(at / 1000).toISOString().slice(0, 10)
  if (certificate.expiresAt <= now)
    throw fault(
      `The certificate ${paths.cert} ended on ${day(certificate.expiresAt)}: get a new one, or use --tls auto.`,
    )
  if (from > now)
    throw fault(`The certificate ${paths.cert} is only valid from ${day(from)} on: check it and the clock.`)
  return certificate
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw fault(`--tls: ${path} cannot be read (${(error as NodeJS.ErrnoException).code}).`)
  }
}

/** Checks that certificate and key belong together. @throws a fault that says which of the two is wrong */
function checked(cert: string, key: string, isOwn: boolean, paths = { cert: 'cert.pem', key: 'key.pem' }): Certificate {
  let parsed: X509Certificate
  let secret: KeyObject
  try {
    parsed = new (nodeCrypto().X509Certificate)(cert)
  } catch {
    throw fault(`--tls: ${paths.cert} is no certificate in PEM form.`)
  }
  if (/ENCRYPTED/.test(key)) throw fault(`--tls: the key ${paths.key} has a password: give one without.`)
  try {
    secret = nodeCrypto().createPrivateKey(key)
  } catch {
    throw fault(`--tls: ${paths.key} is no private key in PEM form.`)
  }
  if (!parsed.checkPrivateKey(secret)) throw fault(`--tls: the key ${paths.key} does not belong to ${paths.cert}.`)
  const isSigned = parsed.issuer !== parsed.subject
  return {
    cert,
    key,
    fingerprint: parsed.fingerprint256,
    expiresAt: Date.parse(parsed.validTo) * 1000,
    isOwn,
    isSigned,
  }
}
