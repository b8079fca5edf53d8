/** The certificates in the folder `tls` of a data directory. Each file is written whole or not at all. */
import type { KeyObject, X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nodeCrypto } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import type { TlsFile } from '#server/process/dataDirectory'
import { writeDurably } from '#server/process/durableFile'
import type { Pair } from './authority'

/** A certificate that was read and belongs to its key. */
export type Checked = Readonly<{
  cert: string
  key: string
  /** SHA-256 of the certificate, `AB:CD:…`. */
  fingerprint: string
  startsAt: Instant
  expiresAt: Instant
  /** Whether another than itself has signed it. */
  isSigned: boolean
}>

const BLOCK = /-----BEGIN ([A-Z0-9 ]+)-----[\s\S]+?-----END \1-----/g

/** The blocks of a PEM text of which the label ends so, such as `CERTIFICATE` or `PRIVATE KEY`; each ends with a line break. */
export const blocksOf = (text: string, label: string): string[] =>
  [...text.matchAll(BLOCK)].filter(([, found]) => found!.endsWith(label)).map(([block]) => `${block}\n`)

/** The text of a file of the folder; undefined if it is not there. */
export function storedText(folder: string, name: TlsFile): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export const store = (folder: string, name: TlsFile, text: string): void => writeDurably(join(folder, name), text)
export const unstore = (folder: string, name: TlsFile): void => rmSync(join(folder, name), { force: true })

/** A file with a key and certificates. @throws a fault if they do not belong together */
function readBoth(folder: string, name: TlsFile): Checked | undefined {
  const text = storedText(folder, name)
  if (text === undefined) return undefined
  const [cert, key] = [blocksOf(text, 'CERTIFICATE').join(''), blocksOf(text, 'PRIVATE KEY').join('')]
  return checked(cert, key, { cert: name, key: name })
}

/** The server's own authority; undefined if there is none, or if its file is damaged. */
export const readAuthority = (folder: string): Checked | undefined =>
  undefinedIfDamaged(() => readBoth(folder, 'authority.pem'))

/** The certificate of another authority that was installed. @throws a fault if its file is damaged */
export const readInstalled = (folder: string): Checked | undefined => readBoth(folder, 'installed.pem')

/** The certificate that the server's own authority signed; undefined if there is none, or if it is damaged. */
export function readOwn(folder: string): Checked | undefined {
  const [cert, key] = [storedText(folder, 'cert.pem'), storedText(folder, 'key.pem')]
  if (cert === undefined || key === undefined) return undefined
  return undefinedIfDamaged(() => checked(cert, key))
}

export function storeAuthority(folder: string, { cert, key }: Pair): void {
  store(folder, 'authority.pem', key + cert)
  unstore(folder, 'authority.given')
}

export function storeOwn(folder: string, { cert, key }: Pair): void {
  store(folder, 'key.pem', key)
  store(folder, 'cert.pem', cert)
}

/** Whether somebody has got the authority to trust it. From then on it is never replaced without being told to. */
export const isGivenOut = (folder: string): boolean => storedText(folder, 'authority.given') !== undefined
export function noteGivenOut(folder: string): void {
  if (!isGivenOut(folder)) store(folder, 'authority.given', '')
}

/** A renewal that was interrupted, or a damaged disk: a new one replaces it. */
function undefinedIfDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * Checks that a certificate and a key in PEM form belong together. Further certificates may follow the first.
 * @throws a fault that says which of the two is wrong
 */
export function checked(cert: string, key: string, paths = { cert: 'cert.pem', key: 'key.pem' }): Checked {
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
  return {
    cert,
    key,
    fingerprint: parsed.fingerprint256,
    startsAt: Date.parse(parsed.validFrom) * 1000,
    expiresAt: Date.parse(parsed.validTo) * 1000,
    isSigned: parsed.issuer !== parsed.subject,
  }
}

/** The names in a certificate, for people: `localhost, 10.0.0.7`. */
export const namesIn = (cert: string): string =>
  (new (nodeCrypto().X509Certificate)(cert).subjectAltName ?? '').replace(/\b(DNS|IP Address):/g, '')
