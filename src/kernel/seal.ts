/**
 * Encrypts secrets that the server must read again, and hashes texts that it must recognise again: a copy of the database
 * alone reveals none of them. Both are made with the current key; what an earlier one made is still read.
 */
import { derivedKey, keyedHash, nodeCrypto, randomBytes } from './cryptography'
import { type Keys, keyOf, keysIn, markOf, withoutMark } from './keyring'

export type Hasher = {
  /** A keyed hash. Without the key, the text cannot be found by hashing guesses. It names the version of its key. */
  hash(text: string): string
}

export type Seal = Hasher & {
  /** @param about what the secret is for and whose it is. `open` needs the same text, so that no secret can replace another */
  close(text: string, about: string): string
  /** @throws an `Error` if it was sealed with a key that is not known or about something else, or was altered */
  open(sealed: string, about: string): string
  /** Each key, the current one first: a code or link that comes from outside may have been made with an earlier one. */
  keys: readonly Hasher[]
  /** The key that a hash or a sealed text names; undefined if it is not known any more. */
  keyOf(text: string): Hasher | undefined
}

/** A number below `limit` that follows from a text and the key. The remainder of 48 bits is even enough: its largest share is 10^-8 more than the least. */
export const numberFrom = (seal: Hasher, text: string, limit: number): number =>
  Number(BigInt(`0x${hashBytes(seal, text).toString('hex').slice(0, 12)}`) % BigInt(limit))

/** The 32 bytes of a keyed hash. */
export const hashBytes = (seal: Hasher, text: string): Buffer => Buffer.from(withoutMark(seal.hash(text)), 'base64url')

/** Six digits that follow from a text and the key: a code that is not stored. */
export const sixDigits = (seal: Hasher, text: string): string => `${numberFrom(seal, text, 1_000_000)}`.padStart(6, '0')

const CIPHER = 'aes-256-gcm'
const [NONCE, TAG] = [12, 16]

/** @param secrets what the data directory has beside the database; the keys are derived from it */
export function createSeal(secrets: Keys): Seal {
  const keys = keysIn(secrets).map(({ version, secret }) => {
    const hashKey = derivedKey(secret, 'hash')
    const mark = markOf({ version })
    return { version, key: derivedKey(secret, 'seal'), hash: (text: string) => mark + keyedHash(hashKey, text) }
  })
  const [current] = keys
  if (!current) throw new RangeError('There is no key.')
  return {
    close(text, about) {
      const nonce = randomBytes(NONCE)
      const cipher = nodeCrypto().createCipheriv(CIPHER, current.key, nonce).setAAD(Buffer.from(about))
      const content = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
      return markOf(current) + Buffer.concat([nonce, cipher.getAuthTag(), content]).toString('base64url')
    },
    open(sealed, about) {
      const named = keyOf(keys, sealed)
      if (!named) throw new Error('It was sealed with a key that this directory does not have any more.')
      const bytes = Buffer.from(withoutMark(sealed), 'base64url')
      const nonce = bytes.subarray(0, NONCE)
      const decipher = nodeCrypto().createDecipheriv(CIPHER, named.key, nonce, { authTagLength: TAG })
      decipher.setAAD(Buffer.from(about)).setAuthTag(bytes.subarray(NONCE, NONCE + TAG))
      return Buffer.concat([decipher.update(bytes.subarray(NONCE + TAG)), decipher.final()]).toString('utf8')
    },
    hash: current.hash,
    keys,
    keyOf: (text) => keyOf(keys, text),
  }
}
