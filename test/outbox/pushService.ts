/** A push service for tests, and devices that decrypt notifications as a browser does (RFC 8291, 8292). */
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto'
import { afterFile } from '../afterFile'

/** A device: its subscription, and a function that decrypts notifications. */
export function device(origin: string) {
  const pair = createECDH('prime256v1')
  pair.generateKeys()
  const auth = randomBytes(16)
  const p256dh = pair.getPublicKey()
  const subscription = {
    endpoint: `${origin}/send/${randomBytes(9).toString('base64url')}`,
    expirationTime: null,
    keys: { p256dh: p256dh.toString('base64url'), auth: auth.toString('base64url') },
  }
  const derive = (key: Uint8Array, salt: Uint8Array, info: Uint8Array | string, length: number) =>
    Buffer.from(hkdfSync('sha256', key, salt, info, length))
  return {
    subscription,
    token: JSON.stringify(subscription),
    decrypt(body: Buffer) {
      const salt = body.subarray(0, 16)
      const sender = body.subarray(21, 21 + body[20]!)
      const record = body.subarray(21 + body[20]!)
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), p256dh, sender])
      const secret = derive(pair.computeSecret(sender), auth, info, 32)
      const key = derive(secret, salt, 'Content-Encoding: aes128gcm\0', 16)
      const nonce = derive(secret, salt, 'Content-Encoding: nonce\0', 12)
      const cipher = createDecipheriv('aes-128-gcm', key, nonce)
      cipher.setAuthTag(record.subarray(-16))
      const plain = Buffer.concat([cipher.update(record.subarray(0, -16)), cipher.final()])
      return JSON.parse(plain.subarray(0, plain.lastIndexOf(2)).toString())
    },
  }
}

/** Verifies a VAPID header (RFC 8292), and returns its claims. */
export function claimsOf(header: string) {
  const [, token, k] = /^vapid t=([^,]+), k=(.+)$/.exec(header)!
  const [head, claims, signature] = token!.split('.')
  const point = Buffer.from(k!, 'base64url')
  const jwk = {
    kty: 'EC',
    crv: 'P-256',
    x: point.subarray(1, 33).toString('base64url'),
    y: point.subarray(33).toString('base64url'),
  }
  const key = createPublicKey({ key: jwk, format: 'jwk' })
  const isGood = verify(
    'sha256',
    Buffer.from(`${head}.${claims}`),
    { key, dsaEncoding: 'ieee-p1363' },
    Buffer.from(signature!, 'base64url'),
  )
  return { isGood, key: k, ...JSON.parse(Buffer.from(claims!, 'base64url').toString()) }
}

export function service(status = 201) {
  const sent: { headers: Headers; body: Buffer }[] = []
  const state = { status }
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      sent.push({ headers: request.headers, body: Buffer.from(await request.arrayBuffer()) })
      return new Response('as the test says', { status: state.status })
    },
  })
  afterFile(() => server.stop(true))
  return { sent, state, origin: `http://127.0.0.1:${server.port}` }
}
