/** Signatures that can be checked with the public key: Ed25519 (RFC 8032). Public keys and signatures are base64. */
import { nodeCrypto } from './cryptography'
import { sha256 } from './id'

/** What comes before the 32 bytes of a key in its DER form (RFC 8410). */
const PRIVATE = Buffer.from('302e020100300506032b657004220420', 'hex')
const PUBLIC = Buffer.from('302a300506032b6570032100', 'hex')

export type KeyPair = { publicKey: string; sign(content: string): string }

/** The pair of keys that follows from 32 secret bytes. */
export function keyPairFrom(secret: Uint8Array): KeyPair {
  const { createPrivateKey, createPublicKey, sign } = nodeCrypto()
  const key = createPrivateKey({ key: Buffer.concat([PRIVATE, secret]), format: 'der', type: 'pkcs8' })
  const spki = createPublicKey(key).export({ format: 'der', type: 'spki' })
  return {
    publicKey: spki.subarray(PUBLIC.length).toString('base64'),
    sign: (content) => sign(null, Buffer.from(content), key).toString('base64'),
  }
}

/** Whether the signature of the content was made with the secret of this public key. False too if either is malformed. */
export function isSignedWith(publicKey: string, content: string, signature: string): boolean {
  const { createPublicKey, verify } = nodeCrypto()
  const raw = Buffer.from(publicKey, 'base64')
  const proof = Buffer.from(signature, 'base64')
  if (raw.length !== 32 || proof.length !== 64) return false
  const key = createPublicKey({ key: Buffer.concat([PUBLIC, raw]), format: 'der', type: 'spki' })
  return verify(null, Buffer.from(content), key, proof)
}

/** A short text that stands for a public key, for people who compare it: the SHA-256 of its 32 bytes, in hexadecimal. */
export const fingerprintOf = (publicKey: string): string => sha256(Buffer.from(publicKey, 'base64'))
