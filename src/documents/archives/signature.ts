/** The key with which a server signs study records (docs/exports.md, "Proof"). */
import { derivedKey } from '#kernel/cryptography'
import { type Keys, keysIn } from '#kernel/keyring'
import { fingerprintOf, isSignedWith, type KeyPair, keyPairFrom } from '#kernel/publicKeys'
import { oneOf, shape, text, type ValueOf, withDescription } from '#wire/schema'

/** The part of a record that holds the signature of another part. */
export const SIGNATURE = 'SIGNATURE.json'
/** The part that is signed. It holds the SHA-256 of each other part. */
export const MANIFEST = 'MANIFEST'

export const SigningKey = shape('SigningKey', {
  algorithm: oneOf('Ed25519'),
  publicKey: withDescription('The 32 bytes of the key in base64.', text(44, 44)),
  fingerprint: withDescription('The SHA-256 of these bytes in hexadecimal, for people who compare it.', text(64, 64)),
})
export type SigningKey = ValueOf<typeof SigningKey>

/** The keys of a server. They follow from its current secret, which backups have: a restored server signs with the same key. */
export const recordKeys = (storageKey: Keys): KeyPair =>
  keyPairFrom(derivedKey(keysIn(storageKey)[0].secret, 'study records'))

/** A public key with what people compare. */
export const describeKey = (publicKey: string): SigningKey => ({
  algorithm: 'Ed25519',
  publicKey,
  fingerprint: fingerprintOf(publicKey),
})

/** What the signature part of a record holds. */
type Signature = SigningKey & { format: 1; signs: typeof MANIFEST; signature: string }

/** The text of the signature part for this manifest. */
export const signatureText = (keys: KeyPair, manifest: string): string => {
  const content: Signature = {
    format: 1,
    signs: MANIFEST,
    ...describeKey(keys.publicKey),
    signature: keys.sign(manifest),
  }
  return `${JSON.stringify(content, null, 2)}\n`
}

/** The fingerprint of the key that signed the manifest; undefined if the text is not a signature of the manifest. */
export function verifiedFingerprint(text: string, manifest: string): string | undefined {
  const { format, algorithm, publicKey, signature } = parseObject(text)
  if (format !== 1 || algorithm !== 'Ed25519' || typeof publicKey !== 'string' || typeof signature !== 'string')
    return undefined
  return isSignedWith(publicKey, manifest, signature) ? fingerprintOf(publicKey) : undefined
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? { ...value } : {}
  } catch {
    return {}
  }
}
