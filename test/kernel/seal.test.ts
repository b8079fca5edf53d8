import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { sealer } from '#kernel/seal'

const seal = sealer('a secret of more than sixteen bytes')

test('a sealed text can be opened, differs each time, and does not show its content', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), fc.string(), (text, about) => {
      const sealed = seal.close(text, about)
      expect(seal.open(sealed, about)).toBe(text)
      expect(seal.close(text, about)).not.toBe(sealed)
      if (text.length > 8) expect(Buffer.from(sealed, 'base64url').toString()).not.toContain(text)
    }),
  )
})

test('a sealed text cannot be opened with another secret, for another purpose, altered or shortened', () => {
  const sealed = seal.close('JBSWY3DPEHPK3PXP', 'totp anna')
  expect(() => sealer('another secret of sixteen bytes').open(sealed, 'totp anna')).toThrow()
  expect(() => seal.open(sealed, 'totp bert')).toThrow()
  expect(() => seal.open('JBSWY3DPEHPK3PXP', 'totp anna')).toThrow()
  fc.assert(
    fc.property(fc.nat({ max: 43 }), fc.integer({ min: 1, max: 255 }), (at, change) => {
      const bytes = Buffer.from(sealed, 'base64url')
      expect(() => seal.open(bytes.subarray(0, at).toString('base64url'), 'totp anna')).toThrow()
      bytes[at]! ^= change
      expect(() => seal.open(bytes.toString('base64url'), 'totp anna')).toThrow()
    }),
  )
})
