/** Money: whole numbers of minor units inside, such as cents, and numbers of the currency's own unit on the wire. */
import { refuse } from '#kernel/problem'
import { type Reason, reason } from '#kernel/refusals/reason'

/** Currencies of ISO 4217 with two decimals. */
const TWO_DECIMALS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG'
const NO_DECIMALS = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'
const THREE_DECIMALS = 'BHD IQD JOD KWD LYD OMR TND'

const decimals: ReadonlyMap<string, number> = new Map(
  [NO_DECIMALS, '', TWO_DECIMALS, THREE_DECIMALS].flatMap((codes, digits) =>
    codes.split(' ').flatMap((code) => (code ? [[code, digits]] : [])),
  ),
)

const isCurrency = (code: string): boolean => decimals.has(code)

/** The decimals of a currency. @throws an `Error` for a text that is not a currency */
function decimalsOf(currency: string): number {
  const digits = decimals.get(currency)
  if (digits === undefined) throw new Error(`There is no currency ${currency}.`)
  return digits
}

/** @throws 422 unless it is a currency of ISO 4217 */
export function requireCurrency(currency: string, where: 'json' | 'query' = 'json'): void {
  if (!isCurrency(currency)) throw refuse.invalid({ currency: [reason('notCurrency')] }, where)
}

/** The largest amount, in minor units: sums of a billion of them are still exact. */
const MAX_AMOUNT = 100_000_000_000

/** The most, in the unit of its currency, that a wallet holds after a top-up: as much as the largest amount of the wire. */
export const MOST_IN_WALLET = 1_000_000_000

/** An amount of the wire in minor units, or what is wrong with it. */
export function readAmount(amount: number, currency: string): { minor: number } | { problem: Reason } {
  const digits = decimalsOf(currency)
  const minor = Math.round(amount * 10 ** digits)
  if (!(minor > 0)) return { problem: reason('notMoreThanZero') }
  if (minor > MAX_AMOUNT) return { problem: reason('tooGreat', { most: MAX_AMOUNT / 10 ** digits }) }
  if (minor / 10 ** digits !== amount)
    return { problem: digits ? reason('tooManyDecimals', { count: digits }) : reason('noDecimals', { currency }) }
  return { minor }
}

/** The same. @param field where the amount is @throws 422 for the field if it is wrong */
export function minorUnitsOf(amount: number, currency: string, field = 'amount'): number {
  const read = readAmount(amount, currency)
  if ('problem' in read) throw refuse.invalid({ [field]: [read.problem] })
  return read.minor
}

/** An amount as on the wire: 1999 of EUR is 19.99. */
export const amountOf = (minor: number, currency: string): number => minor / 10 ** decimalsOf(currency)

/** An amount with all decimals of its currency, such as `25.00`. */
export const decimalText = (minor: number, currency: string): string =>
  amountOf(minor, currency).toFixed(decimalsOf(currency))

/** An amount as a person reads it, such as `25.00 EUR`. */
export const moneyText = (minor: number, currency: string): string => `${decimalText(minor, currency)} ${currency}`
