/** The secrets of webhooks, and signatures with them, as Standard Webhooks describes both (docs/webhooks.md, "Check the signature"). */
import { randomBytes, signature } from '#kernel/cryptography'
import type { Id } from '#kernel/id'
import type { Seal } from '#kernel/seal'
import type { Instant } from '#kernel/time'

const PREFIX = 'whsec_'

/** Makes a secret: 32 random bytes. */
export const newWebhookSecret = (): string => PREFIX + randomBytes(32).toString('base64')

/** What a sealed secret is about, for `seal`. */
export const secretLabel = (webhook: Id): string => `secret of the webhook ${webhook}`

/** A secret as it is stored. */
export const sealSecret = (seal: Seal, webhook: Id, secret: string): string => seal.close(secret, secretLabel(webhook))

type Secrets = { _id: Id; secret: string; previousSecret: string | null; previousSecretUntil: Instant | null }

/** The secrets that are valid, the newest first. @throws an error if they cannot be decrypted */
export function secretsOf(seal: Seal, webhook: Secrets, now: Instant): string[] {
  const { _id, secret, previousSecret, previousSecretUntil } = webhook
  const isValid = previousSecret !== null && previousSecretUntil !== null && now < previousSecretUntil
  return [secret, ...(isValid ? [previousSecret] : [])].map((each) => seal.open(each, secretLabel(_id)))
}

/** The headers that prove to the receiver who sent a body, and when. @param at whole seconds since 1970 */
export function signedHeaders(secrets: readonly string[], delivery: Id, at: number, body: string) {
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64')
    return `v1,${signature(key, `${delivery}.${at}.${body}`)}`
  })
  return { 'webhook-id': delivery, 'webhook-timestamp': `${at}`, 'webhook-signature': signatures.join(' ') }
}
