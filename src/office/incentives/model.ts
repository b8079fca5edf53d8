/** The models of incentives: what participants are given (docs/incentives.md, "Incentives"). */
import { incentives } from '#db/tables/index'
import { brandCode } from '#office/incentives/brands/model'
import { amount, currency } from '#office/incentives/wallet/model'
import * as t from '#wire/schema'

export const IncentiveInput = t.shape('IncentiveInput', {
  brand: brandCode(),
  brandName: t.maybe(t.withDescription('The name of the brand counts, whatever this says.', t.text(1, 200))),
  amount: amount(),
  currency: t.maybe(t.withDescription('That of the brand, which is the default.', currency())),
})

const status = () =>
  t.withDescription(
    'waiting: a rule pays as soon as it can, see `waitsFor`. ordered: the gateway was asked. unknown: whether the gateway sold the card is not known yet; it is asked again. failed: the gateway refused, or the completion was undone before it was paid. reversed: the payment was taken back.',
    t.oneOf(...incentives.status.enumValues),
  )

const card = {
  amount: amount(),
  currency: currency(),
  issuedAt: t.withDescription('Since when the code can be shown.', t.orNull(t.instant())),
  expiresOn: t.withDescription('The last day on which the code can be used.', t.orNull(t.day())),
  revealedAt: t.withDescription('When the code was first shown.', t.orNull(t.instant())),
  stage: t.withDescription('The stage whose completion was paid.', t.orNull(t.id())),
  stageRecurrence: t.orNull(t.whole(0)),
}

export const Incentive = t.shape('Incentive', {
  _id: t.id(),
  createdAt: t.instant(),
  createdBy: t.withDescription('Null: a rule.', t.orNull(t.id())),
  participant: t.id(),
  brand: brandCode(),
  brandName: t.text(1, 200),
  status: status(),
  waitsFor: t.withDescription(
    'What a payment that waits, or the one of its rule that is paid before it, lacked when it was last tried: money in the wallet, a code, the gateway, or the feature of the team.',
    t.orNull(t.oneOf(...incentives.waitsFor.enumValues)),
  ),
  rule: t.orNull(t.id()),
  detail: t.withDescription('What the gateway answered, if it gave no card.', t.orNull(t.text(0, 1000))),
  ...card,
})
export type Incentive = t.ValueOf<typeof Incentive>

/** The most incentives in a page, and the default. */
export const PAGE = 100

const paging = {
  after: t.maybe(t.withDescription('Goes on after the page whose `next` was this.', t.id())),
  perPage: t.maybe(t.withDescription(`The default is ${PAGE}.`, t.whole(1, PAGE))),
}

export const ListQuery = t.shape(paging)
export const TrialListQuery = t.shape({ status: t.maybe(status()), ...paging })

const next = t.withDescription('`after` of the next page; null if this is the last.', t.orNull(t.id()))

export const Incentives = t.shape('Incentives', {
  incentives: t.withDescription('Newest first.', t.list(Incentive, PAGE)),
  next,
})

const OwnIncentive = t.shape('OwnIncentive', {
  _id: t.id(),
  createdAt: t.instant(),
  brandName: t.text(1, 200),
  status: t.withDescription('pending: it comes later.', t.oneOf('issued', 'pending')),
  isReady: t.withDescription('Whether the code can be shown.', t.flag()),
  ...card,
})
export type OwnIncentive = t.ValueOf<typeof OwnIncentive>

export const OwnIncentives = t.shape('OwnIncentives', { incentives: t.list(OwnIncentive, PAGE), next })

export const GiftCard = t.shape('GiftCard', {
  code: t.withDescription('Empty if there is only a link.', t.text(0, 500)),
  pin: t.orNull(t.text(1, 100)),
  url: t.orNull(t.text(1, 2000)),
  expiresOn: t.orNull(t.day()),
})
export type GiftCard = t.ValueOf<typeof GiftCard>
