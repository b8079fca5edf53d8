/**
 * Texts that a browser seals to the server's public key, so that nobody at the device can read them back: ECDH on P-256, HKDF with
 * SHA-256, AES-256-GCM (docs/shared-tablets.md, "Sealed answers").
 */
import { derivedKey, nodeCrypto } from './cryptography'
import { type Keys, keysIn, type Secret } from './keyring'
import { once } from './once'

export type Envelopes = {
  /** The key to which browsers seal: an uncompressed point of P-256, as base64url. */
  publicKey(): string
  /**
   * The text in an envelope. `undefined` if it was sealed to another key or about something else, or was altered.
   * @param sealed base64url of the version (1), the sealer's public key (65 bytes), the nonce (12), the content and its tag (16)
   */
  open(sealed: string, about: string): string | undefined
}

const CURVE = 'prime256v1'
const [VERSION, POINT, NONCE, TAG] = [1, 65, 12, 16]

/** The pair of keys that follows from a secret. About one number in four thousand million is not a key of the curve; it is skipped. */
function pairFrom(secret: Secret) {
  for (let n = 0; ; n++) {
    const pair = nodeCrypto().createECDH(CURVE)
    try {
      pair.setPrivateKey(derivedKey(secret, `envelopes ${n}`))
      return pair
    } catch {}
  }
}

/** @param secrets what the data directory has beside the database: browsers seal to the current key, and earlier ones still open */
export function envelopesOf(secrets: Keys): Envelopes {
  const pairs = keysIn(secrets).map(({ secret }) =>
    once(() => {
      const made = pairFrom(secret)
      return () => made
    }),
  )

  function openWithPair(pair: (typeof pairs)[number], sealed: string, about: string): string {
    const bytes = Buffer.from(sealed, 'base64url')
    if (bytes[0] !== VERSION) throw new Error('This is no envelope.')
    const [sealer, nonce] = [bytes.subarray(1, 1 + POINT), bytes.subarray(1 + POINT, 1 + POINT + NONCE)]
    const content = bytes.subarray(1 + POINT + NONCE)
    const shared = pair().computeSecret(sealer)
    const salt = Buffer.concat([sealer, pair().getPublicKey()])
    const key = Buffer.from(nodeCrypto().hkdfSync('sha256', shared, salt, 'trialbox envelope', 32))
    const decipher = nodeCrypto().createDecipheriv('aes-256-gcm', key, nonce, { authTagLength: TAG })
    decipher.setAAD(Buffer.from(about)).setAuthTag(content.subarray(-TAG))
    return Buffer.concat([decipher.update(content.subarray(0, -TAG)), decipher.final()]).toString('utf8')
  }

  return {
    publicKey: () => pairs[0]!().getPublicKey('base64url'),
    open(sealed, about) {
      for (const pair of pairs)
        try {
          return openWithPair(pair, sealed, about)
        } catch {
          // It may be sealed to an earlier key.
        }
      return undefined
    },
  }
}
