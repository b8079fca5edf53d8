import { rowById } from '#db/rows'
import { incentiveBrands } from '#db/tables/index'
import { type TrialScope, trialVisibleTo } from '#design/trials/scope'
import type { Scope } from '#http/operation'
import { found } from '#kernel/problem'
import type { Brand } from './model'
import type { BrandRow } from './store'
import { brandView } from './views'

/** The brand that `:brandId` names; 404 unless the caller may see its trial. */
export const brand: Scope<TrialScope & { brand: Brand; row: BrandRow }, 'brandId'> = (context) => {
  const row = found(rowById(context.db, incentiveBrands, context.params.brandId), 'brand')
  const inTrial = trialVisibleTo(context, row.trial, 'brand')
  return { ...inTrial, row, brand: brandView(context, inTrial.trial, row) }
}
