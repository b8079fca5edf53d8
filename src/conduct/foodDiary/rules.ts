/** What a diary entry says and whether it can be so (pure). */
import { type Amounts, amountsIn, roundAmount } from '#design/foods/nutrients'
import { refuse } from '#kernel/problem'
import { coded, type Reason, reason } from '#kernel/refusals/reason'
import { HOUR, type Instant, instantText } from '#kernel/time'
import type { Days, EntryRow } from './store'

/** How far clocks of devices may be ahead. */
const MAX_CLOCK_LEAD = HOUR
/** The zone in which a day begins first is 14 hours ahead of UTC. */
const FIRST_ZONE = 14 * HOUR

/** What is wrong with one field, as the details of a refusal have it. */
export const fieldDetails = (field: string, why: Reason) => ({
  fields: { [field]: why.text },
  problems: { [field]: coded(why) },
})

/** Refuses a day that has not begun anywhere, and a moment that is still to come (400). */
export function requirePast(now: Instant, { date, loggedAt }: { date?: string; loggedAt?: Instant }): void {
  if (date !== undefined && date > instantText(now + FIRST_ZONE).slice(0, 10))
    throw refuse.bad('dayToCome', { date }, fieldDetails('date', reason('inFuture')))
  if (loggedAt !== undefined && loggedAt > now + MAX_CLOCK_LEAD)
    throw refuse.bad('notedInFuture', undefined, fieldDetails('loggedAt', reason('inFuture')))
}

/** The days of a query: `date`, or those from `from` to `to`, each of which may be left out. @throws 422 if both are given */
export function daysOf({ date, from, to }: { date?: string; from?: string; to?: string }): Days {
  if (date !== undefined) {
    if (from !== undefined || to !== undefined) throw refuse.invalid({ date: [reason('dateOrRange')] }, 'query')
    return { from: date, to: date }
  }
  if (from !== undefined && to !== undefined && from > to)
    throw refuse.invalid({ to: [reason('endsBeforeFrom')] }, 'query')
  return { from: from ?? '', to: to ?? '9999-12-31' }
}

export const gramsOf = ({ portionSize, quantity }: Pick<EntryRow, 'portionSize' | 'quantity'>): number =>
  roundAmount(portionSize * quantity)

/** What all of an entry holds. */
export const nutrientsOf = (row: Pick<EntryRow, 'portionSize' | 'quantity' | 'food'>): Amounts =>
  amountsIn(row.food.amounts, row.portionSize * row.quantity)

/** An entry as it is shown. */
export function entryView(row: EntryRow) {
  const { portionSize: size, portionDescription: description, food, ...rest } = row
  const { amounts: _, ...shown } = food
  return {
    ...rest,
    portion: { size, unit: 'grams' as const, description },
    food: shown,
    grams: gramsOf(row),
    nutrients: nutrientsOf(row),
  }
}
