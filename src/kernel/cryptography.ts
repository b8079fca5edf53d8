/** Random values and keys. Node's module of cryptography is loaded at its first use: that takes 2 ms, which no start needs. */

/** Node's module. */
export const nodeCrypto = () => process.getBuiltinModule('node:crypto')

/** As many random bytes, for secrets. */
export const randomBytes = (count: number): Buffer => Buffer.from(crypto.getRandomValues(new Uint8Array(count)))

const hmac = (key: Uint8Array | string, ...content: (Uint8Array | string)[]): Buffer => {
  const hash = new Bun.CryptoHasher('sha256', key)
  for (const each of content) hash.update(each)
  return hash.digest()
}

/** HMAC-SHA-256 as base64url. */
export const keyedHash = (key: Uint8Array | string, content: string): string => hmac(key, content).toString('base64url')

/** 32 bytes for one use, derived from a secret (HKDF with SHA-256, RFC 5869). A derived key reveals nothing about another. */
export const derivedKey = (secret: Uint8Array | string, use: string): Buffer =>
  hmac(hmac('trialbox', secret), use, new Uint8Array([1]))

/** HMAC-SHA-256 as base64, as other programs compute it. */
export const signature = (key: Uint8Array, content: string): string => hmac(key, content).toString('base64')
