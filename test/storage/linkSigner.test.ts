import { describe, expect, test } from 'bun:test'
import fc from 'fast-check'
import { Problem } from '#kernel/problem'
import { DAY } from '#kernel/time'
import { type Claims, signer } from '#storage/linkSigner'

const { sign, verify } = signer('a secret of more than sixteen bytes')
const EXPIRES = 1_772_361_000_000_001
const claims: Claims = {
  method: 'GET',
  kind: 'exports',
  name: '65f0.xlsx',
  fileName: 'Größe & 100 % + "ok".xlsx',
  type: 'text/csv; charset=utf-8',
  disposition: 'attachment',
}

const refusal = (act: () => unknown) => {
  try {
    act()
  } catch (error) {
    if (error instanceof Problem) return { status: error.status, message: error.body.message }
    throw error
  }
  return undefined
}

test('a verified link has exactly the claims it was created with', () => {
  const texts = fc.option(fc.string({ unit: 'binary', maxLength: 100 }), { nil: undefined })
  fc.assert(
    fc.property(
      fc.record({
        method: fc.constantFrom<Claims['method']>('GET', 'PUT'),
        kind: fc.constantFrom('files', 'exports'),
        name: fc.stringMatching(/^[a-z0-9_-][A-Za-z0-9._-]{0,60}$/),
        fileName: texts,
        type: texts,
        disposition: fc.constantFrom('attachment', 'inline', undefined),
      }) as fc.Arbitrary<Claims>,
      (made) => {
        expect(verify(made.method, sign(made, EXPIRES), EXPIRES - 1)).toEqual(made)
      },
    ),
  )
})

test('a link works until the microsecond before it expires', () => {
  const link = sign(claims, EXPIRES)
  expect(verify('GET', link, EXPIRES - 1)).toEqual(claims)
  const expired = { status: 403, message: 'This link has expired; ask for it again.' }
  expect(refusal(() => verify('GET', link, EXPIRES))).toEqual(expired)
  expect(refusal(() => verify('GET', link, EXPIRES + 1))).toEqual(expired)
})

describe('an altered link is refused', () => {
  const link = sign(claims, EXPIRES)
  const changed = (change: (url: URL) => void) => {
    const url = new URL(link, 'http://localhost')
    change(url)
    return url
  }
  const set = (key: string, value: string) => changed((url) => url.searchParams.set(key, value))
  const without = (key: string) => changed((url) => url.searchParams.delete(key))
  const given = new URL(link, 'http://localhost').searchParams.get('signature')!
  const cases: [string, URL, string?][] = [
    ['another name', changed((url) => (url.pathname = '/storage/exports/65f1.xlsx'))],
    ['another kind', changed((url) => (url.pathname = '/storage/files/65f0.xlsx'))],
    ['kind and name run together', changed((url) => (url.pathname = '/storage/exports65f0.xlsx'))],
    ['a deeper path', changed((url) => (url.pathname = '/storage/exports/x/65f0.xlsx'))],
    ['another file name', set('fileName', 'other.xlsx')],
    ['no file name', without('fileName')],
    ['another type', set('type', 'text/html')],
    ['no type', without('type')],
    ['another disposition', set('disposition', 'inline')],
    ['no disposition', without('disposition')],
    ['a later expiry', set('expires', String(EXPIRES + 1))],
    ['the same expiry spelled otherwise', set('expires', `0${EXPIRES}`)],
    ['an expiry that is not a number', set('expires', 'NaN')],
    ['no expiry', without('expires')],
    ['no signature', without('signature')],
    ['an empty signature', set('signature', '')],
    ['a shorter signature', set('signature', given.slice(0, -1))],
    ['a padded signature', set('signature', `${given}=`)],
    ['a parameter more', set('more', '1')],
    ['a parameter twice', changed((url) => url.searchParams.append('fileName', 'other.xlsx'))],
    ['another method', new URL(link, 'http://localhost'), 'PUT'],
    ['a method without signed links', new URL(link, 'http://localhost'), 'DELETE'],
    [
      'the signature of another secret',
      new URL(signer('another secret, as long').sign(claims, EXPIRES), 'http://localhost'),
    ],
  ]
  test.each(cases)('%s', (_name, url, method = 'GET') => {
    expect(refusal(() => verify(method, url, EXPIRES - 1))).toEqual({
      status: 403,
      message: 'This link is incomplete or was altered; ask for it again.',
    })
  })

  test('any other character in the signature', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    for (let at = 0; at < given.length; at++) {
      for (const character of alphabet.replace(given[at]!, '')) {
        const url = set('signature', given.slice(0, at) + character + given.slice(at + 1))
        expect(refusal(() => verify('GET', url, EXPIRES - 1))?.status).toBe(403)
      }
    }
  })
})

test('an upload link does not read, a download link does not write, and HEAD reads', () => {
  const upload = sign({ method: 'PUT', kind: 'files', name: 'a' }, EXPIRES)
  expect(refusal(() => verify('GET', upload, 0))?.status).toBe(403)
  expect(refusal(() => verify('HEAD', upload, 0))?.status).toBe(403)
  expect(verify('HEAD', sign(claims, EXPIRES), 0)).toEqual(claims)
})

test.each(['', '..', '.hidden', 'a/b', 'a?b', 'a%2fb', 'a b'])('no link is created for the name %p', (name) => {
  expect(() => sign({ method: 'GET', kind: 'files', name }, EXPIRES)).toThrow(RangeError)
})

test('a secret that is too short is refused', () => {
  expect(() => signer('')).toThrow(RangeError)
  expect(() => signer(new Uint8Array(15))).toThrow(RangeError)
})

describe('after the key was replaced', () => {
  const [old, next] = ['a secret of more than sixteen bytes', 'the next one, as long']
  const until = EXPIRES - 3 * DAY
  const rotated = signer([
    { version: 2, secret: next },
    { version: 1, secret: old, until },
  ])

  test('links that were signed before are good until they expire, and new ones are signed with the new key', () => {
    expect(rotated.verify('GET', sign(claims, EXPIRES), EXPIRES - 1)).toEqual(claims)
    expect(refusal(() => rotated.verify('GET', sign(claims, EXPIRES), EXPIRES))?.status).toBe(403)
    const newer = rotated.sign(claims, EXPIRES)
    expect(newer).toContain('signature=2.')
    expect(rotated.verify('GET', newer, EXPIRES - 1)).toEqual(claims)
    expect(refusal(() => verify('GET', newer, EXPIRES - 1))?.status).toBe(403)
    const disguised = newer.replace('signature=2.', 'signature=')
    expect(refusal(() => rotated.verify('GET', disguised, EXPIRES - 1))?.status).toBe(403)
  })

  test('whoever has the old key signs none that lives longer than one from before', () => {
    const last = until + 7 * DAY
    expect(rotated.verify('GET', sign(claims, last), last - 1)).toEqual(claims)
    expect(refusal(() => rotated.verify('GET', sign(claims, last + 1), last - 1))?.status).toBe(403)
    expect(rotated.verify('GET', rotated.sign(claims, last + 1), last)).toEqual(claims)
  })

  test('links of a key that was forgotten are refused', () => {
    const { verify } = signer([{ version: 2, secret: next }])
    expect(refusal(() => verify('GET', sign(claims, EXPIRES), EXPIRES - 1))?.status).toBe(403)
  })
})
