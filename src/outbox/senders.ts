/** Creates a sender for each channel that the server's configuration has. Messages on other channels are not sent. */
import { type Keys, keysIn } from '#kernel/keyring'
import type { Instant } from '#kernel/time'
import type { Senders } from './delivery'
import { emailSender, type SmtpConfig } from './email'
import { type GatewayConfig, gatewaySender } from './gateway'
import { type PushConfig, type PushService, pushSender, pushService, vapidKeys } from './push'

export type MessagingConfig = Readonly<{
  email?: SmtpConfig | undefined
  /** The e-mail address of the operator of the server. */
  operator?: string | undefined
  sms?: GatewayConfig | undefined
  whatsapp?: GatewayConfig | undefined
  push?: PushConfig | undefined
}>

/** @param pushKey 32 secret bytes, which must be the same at every start, or newer ones before them */
export function sendersFor(
  { email, sms, whatsapp, push }: MessagingConfig,
  pushKey: Keys | undefined,
  now: () => Instant,
): { senders: Senders; push: PushService | undefined } {
  const [current, ...earlier] = push && pushKey ? keysIn(pushKey).map(({ secret }) => vapidKeys(secret)) : []
  return {
    senders: {
      ...(email && { email: emailSender(email) }),
      ...(sms && { sms: gatewaySender(sms) }),
      ...(whatsapp && { whatsapp: gatewaySender(whatsapp) }),
      ...(push && current && { push: pushSender(push, [current, ...earlier], now) }),
    },
    push: push && current && pushService(push, current.publicKey),
  }
}
