import type { Config } from './settings'

type Senders = Pick<Config, 'ai' | 'messages' | 'outgoing' | 'giftCards' | 'wearables'>

/**
 * The settings of a restored copy: as if no way to another machine was configured, so that what is to be sent waits. The gate
 * (`outbox/gate.ts`) holds whatever these are.
 */
export const withoutSenders = ({ outgoing }: Config): Senders => ({
  ai: undefined,
  messages: {},
  outgoing: { ...outgoing, isOff: true },
  giftCards: undefined,
  wearables: {},
})
