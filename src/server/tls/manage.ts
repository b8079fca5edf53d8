/** What people do with certificates: get the authority, ask another authority for a certificate, install and remove it. */
import { nodeCrypto } from '#kernel/cryptography'
import { fault } from '#kernel/fault'
import { type Instant, instantText } from '#kernel/time'
import type { Config } from '#server/config/settings'
import { makeNewAuthority, missingNames, shownCertificate } from './certificate'
import {
  type CheckedCertificate,
  checkCertificate,
  markGivenOut,
  namesIn,
  readAuthority,
  readInstalled,
  readOwn,
  removeText,
  storedText,
  writeText,
} from './certificateFiles'
import { certificatesIn, chainOf, pemOf } from './chain'

const dayOf = (at: Instant) => instantText(at).slice(0, 10)

/** Lines about the certificate that is shown, and the authority. */
export function describeCertificates(config: Config, folder: string, now: Instant): string[] {
  const shown = shownCertificate(config, folder, now)
  const authority = readAuthority(folder)
  const lines = (title: string, { cert, fingerprint, expiresAt }: CheckedCertificate, names = namesIn(cert)) => [
    `${title}, until ${dayOf(expiresAt)}`,
    ...(names ? [`  names        ${names}`] : []),
    `  SHA-256      ${fingerprint}`,
  ]
  if (!shown) return ['No certificate is shown: the server was not started with one yet, or --tls is off.']
  const isOwn = config.tls === 'auto' && shown.fingerprint === readOwn(folder)?.fingerprint
  return [
    ...lines(isOwn ? 'The server’s own certificate' : 'The certificate of another authority', shown),
    ...(authority ? lines('The server’s own authority', authority) : []),
  ]
}

/**
 * The server's own authority as PEM, for a person who is going to trust it. From now on it is replaced only by an explicit command.
 * @throws a fault if there is none yet
 */
export function giveAuthority(folder: string): CheckedCertificate {
  const authority = readAuthority(folder)
  if (!authority) throw fault('There is no authority yet: the server makes one at its first start with --tls auto.')
  markGivenOut(folder)
  return authority
}

/** Makes a new authority. A running server shows a certificate of it within a minute. */
export const replaceAuthority = (config: Config, folder: string, now: Instant): Promise<CheckedCertificate> =>
  makeNewAuthority(config, folder, now)

/** Makes a key, which stays in the folder, and returns the request for a certificate as PEM. */
export async function requestCertificate(folder: string, names: readonly string[]): Promise<string> {
  const { makeRequest } = await import('./authority')
  const { request, key } = await makeRequest(names)
  writeText(folder, 'request-key.pem', key)
  return request
}

/**
 * Installs the certificate that another authority signed. A running server shows it within a minute.
 * @param bytes of the file: PEM with the certificates that belong to it, in any order, or one certificate in DER form
 * @param key PEM, if it is not that of the last request
 * @throws a fault if it cannot be used; nothing is changed then
 */
export function installCertificate(
  folder: string,
  bytes: Uint8Array,
  key: string | undefined,
  now: Instant,
): CheckedCertificate {
  const secret = key ?? storedText(folder, 'request-key.pem') ?? readInstalledKey(folder)
  if (secret === undefined)
    throw fault('There is no key for the certificate: make a request first, or name the key’s file with --key.')
  const installed = checkCertificate(pemIn(bytes), secret, {
    cert: 'the file',
    key: key ? 'of --key' : 'of the request',
  })
  if (installed.expiresAt <= now) throw fault(`This certificate ended on ${dayOf(installed.expiresAt)}.`)
  if (installed.startsAt > now) throw fault(`This certificate is only valid from ${dayOf(installed.startsAt)} on.`)
  const { chain, others } = chainOf(
    certificatesIn(installed.cert, 'the file'),
    nodeCrypto().createPrivateKey(installed.key),
  )
  if (chain[0]!.ca)
    throw fault('This certificate is that of an authority: install the one that it made for the server.')
  const [stray] = others
  if (stray)
    throw fault(`The certificate of ${nameOf(stray.subject)} did not sign any other one in the file: leave it out.`)
  const ended = chain.find(({ validTo }) => Date.parse(validTo) * 1000 <= now)
  if (ended) throw fault(`The certificate of ${nameOf(ended.subject)} in the file ended: ask for the present one.`)
  writeText(folder, 'installed.pem', installed.key + installed.cert)
  removeText(folder, 'request-key.pem')
  return installed
}

/** The common name in a subject or an issuer; the whole of it if it has none. */
const nameOf = (subject: string): string => /^CN=(.*)$/m.exec(subject)?.[1] ?? subject.replaceAll('\n', ', ')

/** What a person should know of a certificate that was installed just now: its names, and what devices may miss. */
export function installedNotes(installed: CheckedCertificate, config: Config): string[] {
  const last = certificatesIn(installed.cert, 'the file').at(-1)!
  const isWhole = last.issuer === last.subject
  return [
    `names: ${namesIn(installed.cert) || 'none'}`,
    ...missingNames(installed, config),
    ...(isWhole
      ? []
      : [
          `${nameOf(last.issuer)} signed the last certificate of the file. If your devices do not know it, install a file with its certificate too.`,
        ]),
  ]
}

/** A certificate that is renewed for the same key needs no new request. */
function readInstalledKey(folder: string): string | undefined {
  try {
    return readInstalled(folder)?.key
  } catch {
    return undefined
  }
}

/** The text of a file as PEM. @throws a fault that says what the file is, if it is something else */
function pemIn(bytes: Uint8Array): string {
  const text = Buffer.from(bytes).toString('latin1')
  if (/BEGIN [A-Z0-9 ]*CERTIFICATE-----/.test(text)) return text
  if (/BEGIN PKCS7/.test(text))
    throw fault('This is a PKCS #7 file (.p7b): turn it into PEM first, with openssl pkcs7 -print_certs.')
  if (/BEGIN (NEW )?CERTIFICATE REQUEST/.test(text))
    throw fault('This is the request, not the certificate that the authority made from it.')
  try {
    return pemOf(new (nodeCrypto().X509Certificate)(bytes))
  } catch {
    throw fault('This file holds no certificate, neither in PEM nor in DER form.')
  }
}

/** Goes back to the server's own certificate. Returns false if none was installed. */
export function removeInstalled(folder: string): boolean {
  if (storedText(folder, 'installed.pem') === undefined) return false
  removeText(folder, 'installed.pem')
  return true
}
