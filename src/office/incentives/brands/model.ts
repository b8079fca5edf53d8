/** The models of brands: what participants can be given (docs/incentives.md, "Brands and codes"). */
import { incentiveBrands } from '#db/tables/index'
import { amount, currency } from '#office/incentives/wallet/model'
import {
  day,
  flag,
  id,
  instant,
  list,
  maybe,
  oneLine,
  oneOf,
  orNull,
  shape,
  text,
  type ValueOf,
  whole,
  withDescription,
} from '#wire/schema'

export const brandCode = () =>
  withDescription(
    'The name of the brand for programs. Of a gateway, its own name of it.',
    text(1, 100, { pattern: '^[A-Za-z0-9._:-]+$' }),
  )

const bounds = {
  minimum: maybe(withDescription('Of a gateway: the least amount.', orNull(amount()))),
  maximum: maybe(withDescription('Of a gateway: the largest amount.', orNull(amount()))),
}

export const BrandInput = shape('IncentiveBrandInput', {
  brand: brandCode(),
  brandName: withDescription('As participants read it.', oneLine(1, 200)),
  currency: currency(),
  source: maybe(
    withDescription(
      'codes, the default: voucher codes that the team loads. gateway: each card is ordered when it is given.',
      oneOf(...incentiveBrands.source.enumValues),
    ),
  ),
  ...bounds,
})

export const BrandChange = shape('IncentiveBrandChange', {
  brandName: maybe(oneLine(1, 200)),
  isActive: maybe(withDescription('Whether it can be given.', flag())),
  ...bounds,
})

const Stock = shape('VoucherStock', {
  amount: amount(),
  available: withDescription('How many unexpired codes are left.', whole(0)),
  drawn: whole(0),
  expired: withDescription('How many that are left have expired.', whole(0)),
  expiresOn: withDescription('The last day of the next code that is drawn; null: it has none.', orNull(day())),
})

export const Brand = shape('IncentiveBrand', {
  _id: id(),
  createdAt: instant(),
  brand: brandCode(),
  brandName: text(1, 200),
  currency: currency(),
  source: oneOf(...incentiveBrands.source.enumValues),
  minimum: orNull(amount()),
  maximum: orNull(amount()),
  isActive: flag(),
  isAvailable: withDescription('Whether it can be given now: a code is left, or the gateway is configured.', flag()),
  amounts: withDescription('Of codes: which amounts there are.', list(Stock, 10_000)),
})
export type Brand = ValueOf<typeof Brand>

/** The most brands of a trial. */
export const MOST_BRANDS = 200

export const Brands = shape('IncentiveBrands', { brands: list(Brand, MOST_BRANDS) })
export const BrandQuery = shape({ includeInactive: maybe(flag()) })
