/** The settings of the gift-card gateway (docs/incentives.md, "A gift-card gateway"). */
import { type Gateway, gatewayOf, type SettingReader } from './messages'
import type { Environment, Option } from './options'

const DEFAULT_BODY = '{"id":"{id}","brand":"{brand}","amount":"{amount}","currency":"{currency}"}'

export const giftCardOptions: readonly Option[] = [
  {
    flag: 'gift-card-url',
    takes: 'url',
    summary: 'an HTTP gateway that sells gift cards; its token in TRIALBOX_GIFT_CARD_TOKEN',
    env: 'TRIALBOX_GIFT_CARD_URL',
    otherwise: 'voucher codes that the team loads',
  },
  {
    flag: 'gift-card-body',
    takes: 'template',
    summary: 'what is posted to it for a card: JSON, or a form',
    env: 'TRIALBOX_GIFT_CARD_BODY',
    otherwise: DEFAULT_BODY,
  },
]

/** The gateway of the settings; undefined without an address. @throws a fault if a part of it is not valid */
export function giftCardsOf(setting: SettingReader, env: Environment): Readonly<Gateway> | undefined {
  const needed = ['{id}', '{brand}', '{amount}', '{currency}']
  const gateway = gatewayOf('gift-card', setting, env, {
    needed,
    otherwise: DEFAULT_BODY,
    carries: 'codes of gift cards',
  })
  return gateway && Object.freeze(gateway)
}
