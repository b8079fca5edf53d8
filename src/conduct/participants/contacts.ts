import type { FieldProblems } from '#kernel/problem'
import { reason } from '#kernel/refusals/reason'

/** The problems of telephone numbers, by field. The numbering plans are loaded on first use, as they are large. */
export async function phoneProblems(numbers: Record<string, string | null | undefined>): Promise<FieldProblems> {
  const entries = Object.entries(numbers).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
  if (!entries.length) return {}
  const { parsePhoneNumberFromString } = await import('libphonenumber-js/min')
  const wrong = entries.filter(([, number]) => !parsePhoneNumberFromString(number)?.isPossible())
  return Object.fromEntries(wrong.map(([field]) => [field, [reason('notPhone')]]))
}
