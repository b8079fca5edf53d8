/**
 * Encrypts secrets that the server must read again, and hashes texts that it must recognise again: a copy of the database
 * alone reveals none of them.
 */
import { derivedKey, keyedHash, nodeCrypto, randomBytes } from './cryptography'

export type Seal = {
  /** @param about what the secret is for and whose it is. `open` needs the same text, so that no secret can replace another */
  close(text: string, about: string): string
  /** @throws an `Error` if it was sealed with another key or another `about`, or was altered */
  open(sealed: string, about: string): string
  /** A keyed hash. Without the key, nobody can find out by guessing which text it is of. */
  hash(text: string): string
}

/** A number below `limit` that follows from a text and the key. The remainder of 48 bits is even enough: its largest share is 10^-8 more than the least. */
export const numberFrom = (seal: Pick<Seal, 'hash'>, text: string, limit: number): number =>
  Number(BigInt(`0x${Buffer.from(seal.hash(text), 'base64url').toString('hex').slice(0, 12)}`) % BigInt(limit))

/** Six digits that follow from a text and the key: a code that is not stored. */
export const sixDigits = (seal: Pick<Seal, 'hash'>, text: string): string =>
  `${numberFrom(seal, text, 1_000_000)}`.padStart(6, '0')

const CIPHER = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

/** @param secret the secret that the data directory has beside the database; the key is derived from it */
export function sealer(secret: Uint8Array | string): Seal {
  const key = derivedKey(secret, 'seal')
  const hashKey = derivedKey(secret, 'hash')
  return {
    close(text, about) {
      const nonce = randomBytes(NONCE)
      const cipher = nodeCrypto().createCipheriv(CIPHER, key, nonce).setAAD(Buffer.from(about))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
    },
    open(sealed, about) {
      const bytes = Buffer.from(sealed, 'base64url')
      const decipher = nodeCrypto().createDecipheriv(CIPHER, key, bytes.subarray(0, NONCE), { authTagLength: TAG })
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    },
    hash: (text) => keyedHash(hashKey, text),
  }
}
