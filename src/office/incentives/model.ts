/** The models of incentives: what participants are given (docs/incentives.md, "Incentives"). */
import { incentives } from '#db/tables/index'
import { brandCode } from '#office/incentives/brands/model'
import { amount, currency } from '#office/incentives/wallet/model'
import {
  day,
  flag,
  id,
  instant,
  list,
  maybe,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const IncentiveInput = shape('IncentiveInput', {
  brand: brandCode(),
  brandName: maybe(withDescription('The name of the brand counts, whatever this says.', text(1, 200))),
  amount: amount(),
  currency: maybe(withDescription('That of the brand, which is the default.', currency())),
})

const status = () =>
  withDescription(
    'waiting: a rule pays as soon as it can, see `waitsFor`. ordered: the gateway was asked. unknown: whether the gateway sold the card is not known yet; it is asked again. failed: the gateway refused, or the completion was undone before it was paid. reversed: the payment was taken back.',
    oneOf(...incentives.status.enumValues),
  )

const card = {
  amount: amount(),
  currency: currency(),
  issuedAt: withDescription('Since when the code can be shown.', orNull(instant())),
  expiresOn: withDescription('The last day on which the code can be used.', orNull(day())),
  revealedAt: withDescription('When the code was first shown.', orNull(instant())),
  stage: withDescription('The stage whose completion was paid.', orNull(id())),
  stageRecurrence: orNull(whole(0)),
}

export const Incentive = shape('Incentive', {
  _id: id(),
  createdAt: instant(),
  createdBy: withDescription('Null: a rule.', orNull(id())),
  participant: id(),
  brand: brandCode(),
  brandName: text(1, 200),
  status: status(),
  waitsFor: withDescription(
    'What a payment that waits, or the one of its rule that is paid before it, lacked when it was last tried: money in the wallet, a code, the gateway, or the feature of the team.',
    orNull(oneOf(...incentives.waitsFor.enumValues)),
  ),
  rule: orNull(id()),
  detail: withDescription('What the gateway answered, if it gave no card.', orNull(text(0, 1000))),
  ...card,
})
export type Incentive = ValueOf<typeof Incentive>

/** The most incentives in a page, and the default. */
export const PAGE = 100

const paging = {
  after: maybe(withDescription('Goes on after the page whose `next` was this.', id())),
  perPage: maybe(withDescription(`The default is ${PAGE}.`, whole(1, PAGE))),
}

export const ListQuery = shape(paging)
export const TrialListQuery = shape({ status: maybe(status()), ...paging })

const next = withDescription('`after` of the next page; null if this is the last.', orNull(id()))

export const Incentives = shape('Incentives', {
  incentives: withDescription('Newest first.', list(Incentive, PAGE)),
  next,
})

const OwnIncentive = shape('OwnIncentive', {
  _id: id(),
  createdAt: instant(),
  brandName: text(1, 200),
  status: withDescription('pending: it comes later.', oneOf('issued', 'pending')),
  isReady: withDescription('Whether the code can be shown.', flag()),
  ...card,
})
export type OwnIncentive = ValueOf<typeof OwnIncentive>

export const OwnIncentives = shape('OwnIncentives', { incentives: list(OwnIncentive, PAGE), next })

export const GiftCard = shape('GiftCard', {
  code: withDescription('Empty if there is only a link.', text(0, 500)),
  pin: orNull(text(1, 100)),
  url: orNull(text(1, 2000)),
  expiresOn: orNull(day()),
})
export type GiftCard = ValueOf<typeof GiftCard>
