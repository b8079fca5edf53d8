/** The brands of a trial. Neither lock refuses changes. */
import { updateById } from '#db/rows'
import { incentiveBrands } from '#db/tables/index'
import { trial } from '#design/trials/scope'
import { operation } from '#http/operation'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { minorUnitsOf, requireCurrency } from '#office/incentives/wallet/money'
import { Brand, BrandChange, BrandInput, BrandQuery, Brands, MOST_BRANDS } from './model'
import { brand } from './scope'
import { type BrandRow, brandByCode, brandsOf, insertBrand } from './store'
import { brandView } from './views'

const FEATURE = 'incentives'

type Bounds = { minimum?: number | null; maximum?: number | null }

/** The bounds of a gateway's brand in minor units. @throws 422 if they are wrong, or not of a gateway's brand */
function boundsOf(
  { minimum, maximum }: Bounds,
  { currency, source, ...row }: Pick<BrandRow, 'currency' | 'source'> & Partial<BrandRow>,
) {
  if (source === 'codes' && (minimum != null || maximum != null))
    throw refuse.invalid({ [minimum != null ? 'minimum' : 'maximum']: [reason('boundsOfCodes')] })
  const bound = (field: 'minimum' | 'maximum', amount: number | null | undefined) =>
    amount === undefined ? (row[field] ?? null) : amount === null ? null : minorUnitsOf(amount, currency, field)
  const bounds = { minimum: bound('minimum', minimum), maximum: bound('maximum', maximum) }
  if (bounds.minimum !== null && bounds.maximum !== null && bounds.minimum > bounds.maximum)
    throw refuse.invalid({ minimum: [reason('aboveOther', { field: 'maximum' })] })
  return bounds
}

const listBrands = operation({
  id: 'listIncentiveBrands',
  method: 'GET',
  path: '/trials/:trialId/incentives/brands',
  summary: 'List the gift-card brands that participants can be given',
  scope: trial,
  needs: ['trial.read', 'trial.manageWallet'],
  feature: FEATURE,
  query: BrandQuery,
  returns: Brands,
  run: (context) => {
    const { db, trial, query } = context
    const shown = brandsOf(db, trial._id).filter(({ isActive }) => isActive || query.includeInactive)
    return { brands: shown.map((row) => brandView(context, trial, row)) }
  },
})

const createBrand = operation({
  id: 'createIncentiveBrand',
  method: 'POST',
  path: '/trials/:trialId/incentives/brands',
  summary: 'Add a brand of gift cards',
  scope: trial,
  needs: 'trial.manageWallet',
  feature: FEATURE,
  of: 'incentiveBrand',
  logs: 'createIncentiveBrand',
  body: BrandInput,
  returns: Brand,
  run: (context) => {
    const { db, now, id, caller, trial, body } = context
    const { brand: code, brandName: name, currency, source = 'codes' } = body
    requireCurrency(currency)
    const bounds = boundsOf(body, { currency, source })
    if (brandByCode(db, trial._id, code)) throw refuse.taken('brand', code)
    if (brandsOf(db, trial._id).length >= MOST_BRANDS) throw refuse.bad('tooManyBrands', { most: MOST_BRANDS })
    const creation = { _id: id(), createdAt: now, createdBy: caller.user._id, trial: trial._id }
    return brandView(context, trial, insertBrand(db, { ...creation, code, name, currency, source, ...bounds }))
  },
})

const updateBrand = operation({
  id: 'updateIncentiveBrand',
  method: 'PUT',
  path: '/incentive-brands/:brandId',
  summary: 'Change a brand of gift cards',
  description: 'Its code, currency and source stay. One that is not active is not given any more; its payments wait.',
  scope: brand,
  needs: 'trial.manageWallet',
  feature: FEATURE,
  of: 'brand',
  logs: 'updateIncentiveBrand',
  body: BrandChange,
  returns: Brand,
  run: (context) => {
    const { db, trial, row, body } = context
    const { brandName: name, isActive } = body
    const change = {
      ...boundsOf(body, row),
      ...(name === undefined ? {} : { name }),
      ...(isActive === undefined ? {} : { isActive }),
    }
    return brandView(context, trial, updateById(db, incentiveBrands, row._id, change))
  },
})

export const incentiveBrandOperations = [listBrands, createBrand, updateBrand] as const
