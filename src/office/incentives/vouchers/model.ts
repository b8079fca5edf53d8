/** The models of the loading of voucher codes (docs/incentives.md, "Brands and codes"). */
import { amount } from '#office/incentives/wallet/model'
import { instant, list, maybe, shape, text, whole, withDescription } from '#wire/schema'

/** The most codes of one file. */
export const MOST_CODES = 10_000

export const CodeFile = shape('VoucherCodesInput', {
  content: withDescription(
    'A csv: a line of headers, then a line for each code: code, amount, and if they have them pin, expiresOn (the last day) and currency, which must be that of the brand.',
    text(1, 4 << 20),
  ),
})

export const LoadedCodes = shape('VoucherCodes', {
  loaded: whole(0),
  loadedAt: withDescription('By which they can be removed again.', instant()),
  amounts: list(shape('VoucherAmount', { amount: amount(), loaded: whole(1) }), MOST_CODES),
})

export const CodeRemoval = shape('VoucherCodeRemoval', {
  loadedAt: maybe(withDescription('Only the codes of this load; by default all of the brand.', instant())),
  reason: text(1, 500),
})

export const RemovedCodes = shape('RemovedVoucherCodes', { removed: whole(0) })
