/** Voucher codes from a csv: all rows or none. No refusal quotes a code. */
import type { NumberedRow } from '#documents/numberedRow'
import { refuse } from '#kernel/problem'
import { isDay } from '#kernel/time'
import { readAmount } from '#office/incentives/wallet/money'

/** A row of the file. `amount`: in minor units. */
export type FileCode = { line: number; code: string; pin: string | null; amount: number; expiresOn: string | null }

const COLUMNS = ['code', 'amount', 'pin', 'expireson', 'currency'] as const
type Column = (typeof COLUMNS)[number]

const MOST_PROBLEMS = 100

/** Collects problems by line, and refuses (422) with them. */
export function problemList() {
  const problems: string[] = []
  return {
    add: (line: number, problem: string) => {
      if (problems.length < MOST_PROBLEMS) problems.push(`Line ${line}${problem}`)
    },
    refuseAny: () => {
      if (problems.length) throw refuse.invalid({ content: problems })
    },
  }
}

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
  throw refuse.invalid({
    content: ['Line 1: The headers must be code and amount, and may be pin, expiresOn and currency, each once.'],
  })
}

/** What makes two codes the same: spaces and the case make no difference. */
export const foldCode = (code: string): string => code.normalize('NFKC').replace(/\s+/g, '').toUpperCase()

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
    if (cells.length > headers.length) problems.add(line, ': It has more cells than there are headers.')
    if (code === '' || code.length > 500) problems.add(line, ', code: Must have 1 to 500 characters.')
    if (pin.length > 100) problems.add(line, ', pin: Must have at most 100 characters.')
    if (last !== '' && !isDay(last)) problems.add(line, ', expiresOn: Must be a date such as 2027-03-31.')
    else if (last !== '' && last < today) problems.add(line, ', expiresOn: The code has expired.')
    if (cell('currency') !== '' && cell('currency').toUpperCase() !== currency)
      problems.add(line, `, currency: The brand is given in ${currency}.`)
    const amount = readAmount(numberIn(cell('amount')), currency)
    if ('problem' in amount) problems.add(line, `, amount: ${amount.problem}`)
    const first = lines.get(foldCode(code))
    if (first !== undefined) problems.add(line, `, code: It is in line ${first} already.`)
    else lines.set(foldCode(code), line)
    return { line, code, pin: pin || null, amount: 'minor' in amount ? amount.minor : 0, expiresOn: last || null }
  })
  if (!codes.length) problems.add(1, ': There is no row besides the headers.')
  problems.refuseAny()
  return codes
}
