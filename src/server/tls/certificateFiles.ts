/** The certificates in the folder `tls` of a data directory. Each file is written whole or not at all. */
import type { KeyObject } from 'node:crypto'
import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { nodeCrypto } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import type { Instant } from '#kernel/time'
import type { TlsFile } from '#server/process/dataDirectory'
import { writeDurably } from '#server/process/durableFile'
import type { CertificatePair } from './authority'
import { blocksOf, certificatesIn, chainOf, pemOf } from './chain'

/** A certificate that was read and belongs to its key. */
export type CheckedCertificate = Readonly<{
  cert: string
  key: string
  /** SHA-256 of the certificate, `AB:CD:…`. */
  fingerprint: string
  startsAt: Instant
  expiresAt: Instant
  /** Whether another than itself has signed it. */
  isSigned: boolean
}>

/** The text of a file of the folder; undefined if it is not there. */
export function storedText(folder: string, name: TlsFile): string | undefined {
  const path = join(folder, name)
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

export const writeText = (folder: string, name: TlsFile, text: string): void => writeDurably(join(folder, name), text)
export const removeText = (folder: string, name: TlsFile): void => rmSync(join(folder, name), { force: true })

/** A file with a key and certificates. @throws a fault if they do not belong together */
function readPair(folder: string, name: TlsFile): CheckedCertificate | undefined {
  const text = storedText(folder, name)
  if (text === undefined) return undefined
  const [cert, key] = [blocksOf(text, 'CERTIFICATE').join(''), blocksOf(text, 'PRIVATE KEY').join('')]
  return checkCertificate(cert, key, { cert: name, key: name })
}

/** The server's own authority; undefined if there is none, or if its file is damaged. */
export const readAuthority = (folder: string): CheckedCertificate | undefined =>
  undefinedIfDamaged(() => readPair(folder, 'authority.pem'))

/** The certificate of another authority that was installed. @throws a fault if its file is damaged */
export const readInstalled = (folder: string): CheckedCertificate | undefined => readPair(folder, 'installed.pem')

/** The certificate that the server's own authority signed; undefined if there is none, or if it is damaged. */
export function readOwn(folder: string): CheckedCertificate | undefined {
  const [cert, key] = [storedText(folder, 'cert.pem'), storedText(folder, 'key.pem')]
  if (cert === undefined || key === undefined) return undefined
  return undefinedIfDamaged(() => checkCertificate(cert, key))
}

export function storeAuthority(folder: string, { cert, key }: CertificatePair): void {
  writeText(folder, 'authority.pem', key + cert)
  removeText(folder, 'authority.given')
}

export function storeOwn(folder: string, { cert, key }: CertificatePair): void {
  writeText(folder, 'key.pem', key)
  writeText(folder, 'cert.pem', cert)
}

/** Whether the authority was handed out. From then on it is replaced only by an explicit command. */
export const isGivenOut = (folder: string): boolean => storedText(folder, 'authority.given') !== undefined
export function markGivenOut(folder: string): void {
  if (!isGivenOut(folder)) writeText(folder, 'authority.given', '')
}

/** A renewal that was interrupted, or a damaged disk: a new one replaces it. */
function undefinedIfDamaged<Value>(read: () => Value): Value | undefined {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** How sentences call the files of a certificate and its key, and what they begin with. */
export type FileNames = Readonly<{ cert: string; key: string; option?: string }>

/**
 * Checks that a certificate and a key in PEM form belong together. The certificates of authorities may stand before or after it:
 * they are put into the order of their signatures.
 * @throws a fault that says which of the two is wrong
 */
export function checkCertificate(
  cert: string,
  key: string,
  names: FileNames = { cert: 'cert.pem', key: 'key.pem' },
): CheckedCertificate {
  const { option = '' } = names
  const certificates = certificatesIn(cert, `${option}${names.cert}`)
  if (/ENCRYPTED/.test(key)) throw fault(`${option}the key ${names.key} has a password: give one without.`)
  const [keyText = ''] = blocksOf(key, 'PRIVATE KEY')
  let secret: KeyObject
  try {
    secret = nodeCrypto().createPrivateKey(keyText)
  } catch {
    throw fault(`${option}${names.key} is no private key in PEM form.`)
  }
  const { chain, others } = chainOf(certificates, secret)
  const [own] = chain
  if (!own) throw fault(`${option}the key ${names.key} does not belong to ${names.cert}.`)
  return {
    cert: [...chain, ...others].map(pemOf).join(''),
    key: keyText,
    fingerprint: own.fingerprint256,
    startsAt: Date.parse(own.validFrom) * 1000,
    expiresAt: Date.parse(own.validTo) * 1000,
    isSigned: own.issuer !== own.subject,
  }
}

/** The names in a certificate, for people: `localhost, 10.0.0.7`. */
export const namesIn = (cert: string): string =>
  (new (nodeCrypto().X509Certificate)(cert).subjectAltName ?? '').replace(/\b(DNS|IP Address):/g, '')
