/** Keys are those that Node's functions give, so that what older versions signed and sealed stays valid. */
import { expect, test } from 'bun:test'
import { createHmac, hkdfSync } from 'node:crypto'
import fc from 'fast-check'
import { derivedKey, keyedHash, randomBytes } from '#kernel/cryptography'

test('a derived key is that of HKDF, and a keyed hash that of HMAC', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 1, maxLength: 200 }), fc.string(), (secret, text) => {
      expect(derivedKey(secret, text).toString('hex')).toBe(
        Buffer.from(hkdfSync('sha256', secret, 'trialbox', text, 32)).toString('hex'),
      )
      expect(keyedHash(secret, text)).toBe(createHmac('sha256', secret).update(text).digest('base64url'))
    }),
  )
  expect(derivedKey('a secret as text', 'seal').equals(derivedKey(Buffer.from('a secret as text'), 'seal'))).toBe(true)
})

test('random bytes have the asked length and differ', () => {
  expect(randomBytes(16).length).toBe(16)
  expect(randomBytes(16).equals(randomBytes(16))).toBe(false)
})
