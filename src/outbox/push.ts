/** Notifications by Web Push (RFC 8030, 8291, 8292). The library is loaded before the first one is sent. */

import { isLoopback } from '#kernel/address'
import { nodeCrypto } from '#kernel/cryptography'
import type { Secret } from '#kernel/keyring'
import { type Instant, SECOND } from '#kernel/time'
import type { Sender } from './delivery'
import { post } from './httpMessage'
import { MESSAGE_LIFETIME } from './status'

/** `subject`: the contact for push services. `services`: hosts to accept in addition to those of the browsers. */
export type PushConfig = Readonly<{ subject: string; services: readonly string[]; timeLimit?: number | undefined }>

/** The push subscription of a device, from its browser. */
export type Subscription = { endpoint: string; keys: { p256dh: string; auth: string } }

/**
 * The push services of the browsers: Chrome and its relatives, Firefox, Safari, Edge. Devices name the address to send to;
 * without this list, anybody could make this server send requests to any address, even within its own network.
 */
export const SERVICES = [
  'fcm.googleapis.com',
  '*.push.services.mozilla.com',
  '*.push.apple.com',
  '*.notify.windows.com',
]

const isServiceHost = (host: string, services: readonly string[]): boolean =>
  services.some((each) => (each.startsWith('*.') ? host.endsWith(each.slice(1)) : host === each))

const bytesOf = (text: unknown): Buffer =>
  Buffer.from(typeof text === 'string' && /^[\w-]+=*$/.test(text) ? text : '', 'base64url')

/** Reads the JSON of a browser's PushSubscription; undefined if it is not one. Other fields are dropped. */
export function readSubscription(token: string): Subscription | undefined {
  let value: Partial<Subscription> | null
  try {
    value = JSON.parse(token)
  } catch {
    return undefined
  }
  const { p256dh, auth } = value?.keys ?? {}
  const point = bytesOf(p256dh)
  if (typeof value?.endpoint !== 'string' || !URL.canParse(value.endpoint)) return undefined
  if (point.length !== 65 || point[0] !== 4 || bytesOf(auth).length !== 16) return undefined
  return { endpoint: new URL(value.endpoint).href, keys: { p256dh: p256dh!, auth: auth! } }
}

/** The parts of the push configuration that participants' apps need. */
export type PushService = {
  /** The key with which a browser subscribes. */
  publicKey: string
  /** Whether messages may be sent to this address: a known push service, by HTTPS. */
  accepts(endpoint: string): boolean
}

/** The host of a device's push service: the only part of its address that people may see. */
export const serviceOf = ({ endpoint }: Subscription): string => new URL(endpoint).hostname

export type VapidKeys = { publicKey: string; privateKey: string }

/** Derives the server's key pair from the secret of its data directory: it is the same at every start and after a restore. */
export function vapidKeys(secret: Secret): VapidKeys {
  const { createECDH, hkdfSync } = nodeCrypto()
  const pair = createECDH('prime256v1')
  for (let seed = Buffer.from(secret); ; seed = Buffer.from(hkdfSync('sha256', seed, '', 'again', 32))) {
    try {
      pair.setPrivateKey(seed)
      return { publicKey: pair.getPublicKey('base64url'), privateKey: pair.getPrivateKey('base64url') }
    } catch {
      // one in four thousand million numbers is larger than the order of the curve
    }
  }
}

/** The parts of the push configuration that participants' apps need. */
export function pushService({ services }: PushConfig, publicKey: string): PushService {
  return {
    publicKey,
    accepts(endpoint) {
      const { protocol, hostname, username } = new URL(endpoint)
      if (username || !isServiceHost(hostname, [...SERVICES, ...services])) return false
      return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname)) // HTTP only for a host in the list
    },
  }
}

/** Push services accept up to 4,096 bytes after encryption. */
const MOST_BYTES = 3_000

/** `{title, body}` as JSON, shortened if it is too long. */
function payloadOf(subject: string, text: string): string {
  const title = [...subject].slice(0, 200).join('')
  const payload = (body: string) => JSON.stringify({ title, body })
  let body = [...text]
  while (Buffer.byteLength(payload(body.join(''))) > MOST_BYTES) body = [...body.slice(0, body.length * 0.9), '…']
  return payload(body.join(''))
}

/** How push services refuse a key that is not the one with which the browser subscribed. */
const OTHER_KEY_STATUSES = [400, 401, 403]

/**
 * Returns the sender of push notifications.
 * @param pairs the current key first; a device that subscribed with an earlier one gets its notifications with that
 */
export function pushSender(push: PushConfig, pairs: readonly [VapidKeys, ...VapidKeys[]], now: () => Instant): Sender {
  const service = pushService(push, pairs[0].publicKey)
  return async ({ recipient, subject, body, expiresAt }) => {
    const subscription = readSubscription(recipient)
    if (!subscription) return { is: 'failed', detail: 'The device did not register a valid push subscription.' }
    if (!service.accepts(subscription.endpoint)) {
      return { is: 'failed', detail: 'This server does not send to the push service of the device.' }
    }
    const { default: webpush } = await import('web-push')
    const left = Math.max(0, Math.floor(((expiresAt ?? now() + MESSAGE_LIFETIME) - now()) / SECOND))
    const sendWith = (keys: VapidKeys) => {
      const request = webpush.generateRequestDetails(subscription, payloadOf(subject ?? '', body), {
        vapidDetails: { subject: push.subject, ...keys },
        TTL: left,
      })
      const headers = Object.entries(request.headers).map(([name, value]) => [name, `${value}`])
      return post({
        url: request.endpoint,
        headers: Object.fromEntries(headers),
        body: new Uint8Array(request.body!),
        secrets: [subscription.endpoint, subscription.keys.auth, subscription.keys.p256dh, body],
        timeLimit: push.timeLimit,
      })
    }
    const [current, ...earlier] = pairs
    let result = await sendWith(current)
    for (const keys of earlier) if (OTHER_KEY_STATUSES.includes(result.code ?? 0)) result = await sendWith(keys)
    const { code, ...outcome } = result
    if (code !== 404 && code !== 410) return outcome
    return { is: 'failed', detail: 'The device no longer accepts notifications.', isGone: true }
  }
}
