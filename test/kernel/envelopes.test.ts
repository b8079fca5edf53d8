import { expect, test } from 'bun:test'
import { envelopesOf } from '#kernel/envelopes'
import { sealText } from '../seal'

const envelopes = envelopesOf('a secret of more than sixteen bytes')

test('what WebCrypto sealed is opened, with any text', async () => {
  for (const content of [{ text: 'ü 🙂 \u0000' }, { long: 'x'.repeat(100_000) }]) {
    const text = JSON.stringify(content)
    const envelope = await sealText(envelopes.publicKey(), 'device', content)
    expect(envelopes.open(envelope, 'device')).toBe(text)
    expect(Buffer.from(envelope, 'base64url').includes(text.slice(0, 16))).toBe(false)
  }
})

test('the key follows from the secret', () => {
  expect(envelopesOf('a secret of more than sixteen bytes').publicKey()).toBe(envelopes.publicKey())
  expect(envelopesOf('another secret of sixteen bytes').publicKey()).not.toBe(envelopes.publicKey())
  expect(Buffer.from(envelopes.publicKey(), 'base64url')).toHaveLength(65)
})

test('an envelope that was altered anywhere, is of another device or for another server, or is none, is not opened', async () => {
  const envelope = await sealText(envelopes.publicKey(), 'device', { answer: 1 })
  expect(envelopes.open(envelope, 'another')).toBeUndefined()
  expect(envelopesOf('another secret of sixteen bytes').open(envelope, 'device')).toBeUndefined()
  const bytes = Buffer.from(envelope, 'base64url')
  for (let at = 0; at < bytes.length; at++) {
    const altered = Buffer.from(bytes)
    altered[at]! ^= 1
    expect(envelopes.open(altered.toString('base64url'), 'device')).toBeUndefined()
  }
  for (const none of ['', 'AQ', '💥', envelope.slice(0, 60), 'A'.repeat(1000)])
    expect(envelopes.open(none, 'device')).toBeUndefined()
})
