/**
 * The server's own certificate authority. Phones trust it once (docs/certificates.md); the certificates that it signs may then be
 * short and renewed without a change on the devices. It can sign for this machine and local networks only: a thief of its key
 * cannot pretend to be any other site of the internet.
 */
import 'reflect-metadata' // the library of certificates needs it before it is loaded
import { isIP } from 'node:net'
import { AsnConvert } from '@peculiar/asn1-schema'
import {
  GeneralName,
  GeneralSubtree,
  GeneralSubtrees,
  id_ce_nameConstraints,
  NameConstraints,
} from '@peculiar/asn1-x509'
import {
  AuthorityKeyIdentifierExtension,
  BasicConstraintsExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  Extension,
  KeyUsageFlags,
  KeyUsagesExtension,
  PemConverter,
  Pkcs10CertificateRequestGenerator,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'
import { randomBytes } from '#kernel/cryptography'
import { DAY, type Instant } from '#kernel/time'

/** A certificate with its private key, both as PEM texts that end with a line break. */
export type CertificatePair = Readonly<{ cert: string; key: string }>

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }
const AUTHORITY_DAYS = 20 * 365
/** Less than the 398 days that browsers accept of public authorities, and short enough that a stolen key is soon worth nothing. */
const VALID_DAYS = 90

const makeKeys = (): Promise<CryptoKeyPair> => crypto.subtle.generateKey(ALGORITHM, true, ['sign', 'verify'])

const keyText = async (key: CryptoKey): Promise<string> =>
  `${PemConverter.encode(await crypto.subtle.exportKey('pkcs8', key), 'PRIVATE KEY')}\n`

const keyOf = (text: string): Promise<CryptoKey> =>
  crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(text), ALGORITHM, false, ['sign'])

const textOf = (certificate: X509Certificate): string => `${certificate.toString('pem')}\n`

/** 15 random bytes, the first of which is neither 0 nor negative (RFC 5280, 4.1.2.2). */
const serialNumber = (): string => `5${randomBytes(15).toString('hex').slice(1)}`

/** A day before now, for clients whose clock is slow, until that many days after it. */
const validity = (now: Instant, days: number) => ({
  notBefore: new Date((now - DAY) / 1000),
  notAfter: new Date((now + (days - 1) * DAY) / 1000),
})

/** The first name that is short enough for it (RFC 5280, appendix A): authorities refuse longer ones. Clients look at the others. */
const commonName = (names: readonly string[]): string => names.find((name) => name.length <= 64) ?? 'Trialbox'

const alternativeNames = (names: readonly string[]) =>
  new SubjectAlternativeNameExtension(
    names.map((name) => (isIP(name) ? { type: 'ip' as const, value: name } : { type: 'dns' as const, value: name })),
  )

const nameOf = (permitted: string): GeneralSubtree =>
  new GeneralSubtree({
    base: new GeneralName(permitted.includes('/') ? { iPAddress: permitted } : { dNSName: permitted }),
  })

/**
 * Makes an authority that may sign for these names and networks only, for 20 years.
 * @param title the name that phones and browsers show for it
 */
export async function makeAuthority(
  title: string,
  permitted: readonly string[],
  now: Instant,
): Promise<CertificatePair> {
  const keys = await makeKeys()
  const limits = new NameConstraints({ permittedSubtrees: new GeneralSubtrees(permitted.map(nameOf)) })
  const certificate = await X509CertificateGenerator.createSelfSigned({
    ...validity(now, AUTHORITY_DAYS),
    serialNumber: serialNumber(),
    name: [{ O: ['Trialbox'] }, { CN: [title] }],
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(true, 0, true),
      new KeyUsagesExtension(KeyUsageFlags.keyCertSign | KeyUsageFlags.cRLSign, true),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      // Not critical: systems that do not know limits of names would otherwise refuse the whole authority.
      new Extension(id_ce_nameConstraints, false, AsnConvert.serialize(limits)),
    ],
  })
  return { cert: textOf(certificate), key: await keyText(keys.privateKey) }
}

/** The names and networks that an authority may sign for. */
export function permittedBy(authority: string): string[] {
  const limits = new X509Certificate(authority).getExtension(id_ce_nameConstraints)
  const subtrees = limits ? AsnConvert.parse(limits.value, NameConstraints).permittedSubtrees : undefined
  return [...(subtrees ?? [])].flatMap(({ base }) => base.dNSName ?? base.iPAddress ?? [])
}

/** Signs a certificate of a server for these names. Its text ends with that of the authority. */
export async function signFor(
  authority: CertificatePair,
  names: readonly string[],
  now: Instant,
): Promise<CertificatePair> {
  const keys = await makeKeys()
  const issuer = new X509Certificate(authority.cert)
  const certificate = await X509CertificateGenerator.create({
    ...validity(now, VALID_DAYS),
    serialNumber: serialNumber(),
    subject: [{ CN: [commonName(names.filter((name) => !isIP(name)))] }],
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await keyOf(authority.key),
    signingAlgorithm: ALGORITHM,
    extensions: [
      new BasicConstraintsExtension(false, undefined, true),
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      await SubjectKeyIdentifierExtension.create(keys.publicKey),
      await AuthorityKeyIdentifierExtension.create(issuer),
      alternativeNames(names),
    ],
  })
  return { cert: textOf(certificate) + authority.cert, key: await keyText(keys.privateKey) }
}

/** Makes a key, and a request in PEM form (PKCS #10) with which another authority signs a certificate for it. */
export async function makeRequest(names: readonly string[]): Promise<{ request: string; key: string }> {
  const keys = await makeKeys()
  const request = await Pkcs10CertificateRequestGenerator.create({
    name: [{ CN: [commonName(names)] }],
    keys,
    signingAlgorithm: ALGORITHM,
    extensions: [
      new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
      new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
      alternativeNames(names),
    ],
  })
  return { request: `${request.toString('pem')}\n`, key: await keyText(keys.privateKey) }
}
