import 'reflect-metadata'
import { createPublicKey } from 'node:crypto'
import {
  PemConverter,
  PublicKey,
  SubjectAlternativeNameExtension,
  X509Certificate,
  X509CertificateGenerator,
} from '@peculiar/x509'

const ALGORITHM = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' }

/** The certificate that an authority makes for a key that only its owner has. */
export async function signKey(authority: { cert: string; key: string }, key: string, names: string[]): Promise<string> {
  const der = createPublicKey(key).export({ type: 'spki', format: 'der' })
  const made = await X509CertificateGenerator.create({
    subject: `CN=${names[0]}`,
    issuer: new X509Certificate(authority.cert).subjectName,
    // Tests read their clock before they make certificates; an authority begins in the past, too.
    notBefore: new Date(Date.now() - 3_600_000),
    notAfter: new Date(Date.now() + 1e10),
    publicKey: await new PublicKey(new Uint8Array(der)).export(ALGORITHM, ['verify']),
    signingKey: await crypto.subtle.importKey('pkcs8', PemConverter.decodeFirst(authority.key), ALGORITHM, false, [
      'sign',
    ]),
    signingAlgorithm: ALGORITHM,
    extensions: [new SubjectAlternativeNameExtension(names.map((value) => ({ type: 'dns' as const, value })))],
  })
  return `${made.toString('pem')}\n`
}
