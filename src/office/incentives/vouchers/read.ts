/** Voucher codes from a csv: all rows or none. No refusal quotes a code. */
import type { NumberedRow } from '#documents/numberedRow'
import { refuse } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'
import { isDay } from '#kernel/time'
import { readAmount } from '#office/incentives/wallet/money'
import { problemList } from '#office/packs/records/csvProblems'

/** A row of the file. `amount`: in minor units. */
export type FileCode = { line: number; code: string; pin: string | null; amount: number; expiresOn: string | null }

const COLUMNS = ['code', 'amount', 'pin', 'expireson', 'currency'] as const
type Column = (typeof COLUMNS)[number]

/** Where each column is. Unknown headers are not quoted: in a file without headers they would be codes. */
function placesOf(headers: readonly string[]): ReadonlyMap<Column, number> {
  const named = headers.map((header) => header.trim().toLowerCase())
  const places = new Map(
    COLUMNS.flatMap((column) => (named.includes(column) ? [[column, named.indexOf(column)] as const] : [])),
  )
  const isKnown = named.every(
    (header, at) => COLUMNS.some((column) => column === header) && named.indexOf(header) === at,
  )
  if (isKnown && places.has('code') && places.has('amount')) return places
  throw refuse.invalid({ content: [reason('inLine', { line: 1, problem: reason('codeHeaders') })] })
}

/** What makes two codes the same: spaces and the case make no difference. */
const foldCode = (code: string): string => code.normalize('NFKC').replace(/\s+/g, '').toUpperCase()

/** What the hash of a code is made of: the same code of a brand is loaded once in a team. */
export const hashInput = (team: string, brand: string, code: string): string =>
  `voucher ${team} ${brand.toLowerCase()} ${foldCode(code)}`

/** Reads the text of an amount, with a point or a comma before its decimals. */
const numberIn = (text: string): number =>
  /^\d{1,9}([.,]\d{1,3})?$/.test(text) ? Number(text.replace(',', '.')) : Number.NaN

/**
 * The codes that a csv has.
 * @param today in the zone of the trial; a code that has expired is refused
 * @throws 422 with the line of each problem, also for a code that the file has twice
 */
export function codesIn(
  { headers, rows }: { headers: readonly string[]; rows: readonly NumberedRow[] },
  currency: string,
  today: string,
): FileCode[] {
  const places = placesOf(headers)
  const problems = problemList()
  const lines = new Map<string, number>()
  const codes = rows.map(({ line, cells }): FileCode => {
    const cell = (column: Column) => cells[places.get(column) ?? -1]?.trim() ?? ''
    const [code, pin, last] = [cell('code'), cell('pin'), cell('expireson')]
    if (cells.length > headers.length) problems.add(line, reason('moreCellsThanHeaders'))
    if (code === '' || code.length > 500) problems.add(line, reason('codeLength', { most: 500 }), 'code')
    if (pin.length > 100) problems.add(line, reason('tooLong', { count: 100 }), 'pin')
    if (last !== '' && !isDay(last)) problems.add(line, reason('notDay'), 'expiresOn')
    else if (last !== '' && last < today) problems.add(line, reason('codeExpired'), 'expiresOn')
    if (cell('currency') !== '' && cell('currency').toUpperCase() !== currency)
      problems.add(line, reason('codeCurrency', { currency }), 'currency')
    const amount = readAmount(numberIn(cell('amount')), currency)
    if ('problem' in amount) problems.add(line, amount.problem, 'amount')
    const first = lines.get(foldCode(code))
    if (first !== undefined) problems.add(line, reason('codeTwice', { first }), 'code')
    else lines.set(foldCode(code), line)
    return { line, code, pin: pin || null, amount: 'minor' in amount ? amount.minor : 0, expiresOn: last || null }
  })
  if (!codes.length) problems.add(1, reason('noRows'))
  problems.refuseAny()
  return codes
}
