/** Numbers that are personal information of participants, such as a telephone number that was entered into a field for numbers (pure). */

/** Fewer digits may be the same by chance. */
const FEWEST_DIGITS = 6

/** Every number in a value, however deep. */
export function numbersIn(value: unknown): number[] {
  if (typeof value === 'number') return [value]
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(numbersIn) : []
}

/**
 * The numbers among these whose digits are those of a personal text, or its last ones: a telephone number may be written without its
 * country. @param texts what participants are called and how they can be reached; not read if no number has so many digits
 */
export function personalAmong(numbers: readonly number[], texts: Iterable<string>): ReadonlySet<number> {
  const suspects = [...new Set(numbers)].filter((each) => Math.abs(each) >= 10 ** (FEWEST_DIGITS - 1))
  const found = new Set<number>()
  if (!suspects.length) return found
  for (const text of texts) {
    const digits = text.replace(/\D/g, '')
    for (const each of suspects) if (digits.endsWith(`${Math.abs(each)}`)) found.add(each)
  }
  return found
}

/** These without each that holds a personal number. */
export function withoutPersonal<T>(measures: readonly T[], texts: Iterable<string>): T[] {
  const personal = personalAmong(measures.flatMap(numbersIn), texts)
  return measures.filter((each) => !numbersIn(each).some((number) => personal.has(number)))
}
