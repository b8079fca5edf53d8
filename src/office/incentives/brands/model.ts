/** The models of brands: what participants can be given (docs/incentives.md, "Brands and codes"). */
import { incentiveBrands } from '#db/tables/index'
import { amount, currency } from '#office/incentives/wallet/model'
import * as t from '#wire/schema'

export const brandCode = () =>
  t.withDescription(
    'The name of the brand for programs. Of a gateway, its own name of it.',
    t.text(1, 100, { pattern: '^[A-Za-z0-9._:-]+$' }),
  )

const bounds = {
  minimum: t.maybe(t.withDescription('Of a gateway: the least amount.', t.orNull(amount()))),
  maximum: t.maybe(t.withDescription('Of a gateway: the largest amount.', t.orNull(amount()))),
}

export const BrandInput = t.shape('IncentiveBrandInput', {
  brand: brandCode(),
  brandName: t.withDescription('As participants read it.', t.oneLine(1, 200)),
  currency: currency(),
  source: t.maybe(
    t.withDescription(
      'codes, the default: voucher codes that the team loads. gateway: each card is ordered when it is given.',
      t.oneOf(...incentiveBrands.source.enumValues),
    ),
  ),
  ...bounds,
})

export const BrandChange = t.shape('IncentiveBrandChange', {
  brandName: t.maybe(t.oneLine(1, 200)),
  isActive: t.maybe(t.withDescription('Whether it can be given.', t.flag())),
  ...bounds,
})

const Stock = t.shape('VoucherStock', {
  amount: amount(),
  available: t.withDescription('How many unexpired codes are left.', t.whole(0)),
  drawn: t.whole(0),
  expired: t.withDescription('How many that are left have expired.', t.whole(0)),
  expiresOn: t.withDescription('The last day of the next code that is drawn; null: it has none.', t.orNull(t.day())),
})

export const Brand = t.shape('IncentiveBrand', {
  _id: t.id(),
  createdAt: t.instant(),
  brand: brandCode(),
  brandName: t.text(1, 200),
  currency: currency(),
  source: t.oneOf(...incentiveBrands.source.enumValues),
  minimum: t.orNull(amount()),
  maximum: t.orNull(amount()),
  isActive: t.flag(),
  isAvailable: t.withDescription(
    'Whether it can be given now: a code is left, or the gateway is configured.',
    t.flag(),
  ),
  amounts: t.withDescription('Of codes: which amounts there are.', t.list(Stock, 10_000)),
})
export type Brand = t.ValueOf<typeof Brand>

/** The most brands of a trial. */
export const MOST_BRANDS = 200

export const Brands = t.shape('IncentiveBrands', { brands: t.list(Brand, MOST_BRANDS) })
export const BrandQuery = t.shape({ includeInactive: t.maybe(t.flag()) })
