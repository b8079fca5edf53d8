import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { envelopesOf } from '#kernel/envelopes'
import { createSeal, sixDigits } from '#kernel/seal'

const seal = createSeal('a secret of more than sixteen bytes')

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
  expect(() => createSeal('another secret of sixteen bytes').open(sealed, 'totp anna')).toThrow()
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

describe('with an earlier key', () => {
  const [first, second] = [
    { version: 1, secret: 'a secret of more than sixteen bytes' },
    { version: 2, secret: 'the next one of sixteen bytes' },
  ] as const
  const rotated = createSeal([second, first])

  test('what it made is read, and what is made now names the new one', () => {
    expect(rotated.open(seal.close('text', 'a'), 'a')).toBe('text')
    const sealed = rotated.close('text', 'a')
    expect(sealed).toMatch(/^2\.[\w-]+$/)
    expect([rotated.open(sealed, 'a'), createSeal([second]).open(sealed, 'a')]).toEqual(['text', 'text'])
    for (const wrong of [sealed.slice(2), `3${sealed.slice(1)}`, `1.${sealed.slice(2)}`, `02.${sealed.slice(2)}`])
      expect(() => rotated.open(wrong, 'a')).toThrow()
    expect(() => seal.open(sealed, 'a')).toThrow()
    expect(() => createSeal([second]).open(seal.close('text', 'a'), 'a')).toThrow()
  })

  test('a hash names its key, and one whose key is not there has none', () => {
    expect(rotated.hash('x')).toMatch(/^2\.[\w-]{43}$/)
    expect(rotated.keys.map(({ hash }) => hash('x'))).toEqual([rotated.hash('x'), seal.hash('x')])
    expect(rotated.keyOf(seal.hash('x'))?.hash('x')).toBe(seal.hash('x'))
    expect([seal.keyOf(rotated.hash('x')), rotated.keyOf('3.x')]).toEqual([undefined, undefined])
    expect(sixDigits(rotated, 'x')).toBe(sixDigits(createSeal(second.secret), 'x'))
  })

  test('envelopes to either are opened, and new ones are sealed to the new one', () => {
    const [both, old] = [envelopesOf([second, first]), envelopesOf(first.secret)]
    expect(both.publicKey()).toBe(envelopesOf(second.secret).publicKey())
    expect(both.publicKey()).not.toBe(old.publicKey())
  })
})
