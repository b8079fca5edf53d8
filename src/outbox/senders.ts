/** Creates a sender for each channel that the server's configuration has. Messages on other channels are not sent. */
import type { Instant } from '#kernel/time'
import type { Senders } from './delivery'
import { emailSender, type Smtp } from './email'
import { type Gateway, gatewaySender } from './gateway'
import { type Push, type PushService, pushSender, pushService, vapidKeys } from './push'

export type MessagingConfig = Readonly<{
  email?: Smtp | undefined
  /** The address of whoever runs the server. */
  operator?: string | undefined
  sms?: Gateway | undefined
  whatsapp?: Gateway | undefined
  push?: Push | undefined
}>

/** @param pushKey 32 secret bytes, which must be the same at every start */
export function sendersFor(
  { email, sms, whatsapp, push }: MessagingConfig,
  pushKey: Uint8Array | undefined,
  now: () => Instant,
): { senders: Senders; push: PushService | undefined } {
  const keys = push && pushKey && vapidKeys(pushKey)
  return {
    senders: {
      ...(email && { email: emailSender(email) }),
      ...(sms && { sms: gatewaySender(sms) }),
      ...(whatsapp && { whatsapp: gatewaySender(whatsapp) }),
      ...(push && keys && { push: pushSender(push, keys, now) }),
    },
    push: push && keys && pushService(push, keys.publicKey),
  }
}
