/** Answers between what people type and what the server takes (pure). */
import { plainDigits } from '#kernel/digits'
import { isKeptFile, type KeptAnswer } from '#web/form/answers/model'
import { clockOf, dayOfAnswer, instantOf, isDay, momentOf, parseInstant, zoneOf } from '#web/form/engine/engine'

/** The answers as the engine checks them: a file on the device counts as one that is uploaded. */
export const toSentAnswers = (answers: Readonly<Record<string, KeptAnswer>>): Record<string, { value: unknown }> =>
  Object.fromEntries(
    Object.entries(answers).map(([dataType, { value }]) => [
      dataType,
      { value: isKeptFile(value) ? { fileName: value.blob, name: value.name } : (value ?? null) },
    ]),
  )

/** Digits that a number keeps as they were typed, and those of a sum of fractions that are certain. */
const [EXACT, DIGITS] = [15, 12]

/**
 * The number that somebody typed, in the digits of their keyboard; null for nothing. The decimal sign is that of the language, or
 * a point. The text itself if it is no number, or could mean two: “1,500” is a thousand and a half in English, one and a half in
 * German. The check then says so.
 * @param comma whether the language writes decimals with a comma
 */
export function numberFrom(text: string, comma: boolean): number | string | null {
  const plain = plainDigits(text)
    .trim()
    .replace('−', '-')
    .replace('\u066b', comma ? ',' : '.')
  if (plain === '') return null
  const signs = comma ? /^[-+]?\d*(,\d+|,)?$|^[-+]?\d*\.(\d{1,2}|\d{4,})?$/ : /^[-+]?\d*\.?\d*$/
  const digits = plain.replace(/\D/g, '').replace(/^0+/, '')
  if (!signs.test(plain) || !/\d/.test(plain) || digits.length > EXACT) return text
  return Number(plain.replace(',', '.'))
}

/** A day as an answer: the server keeps days as their first moment in UTC. */
export const dayFrom = (text: string): string | null => (isDay(text) ? `${text}T00:00:00Z` : null)
/** The day that an answer means for somebody in a zone: staff and other programs may give its midnight there. */
export function dayShown(value: unknown, zone: string): string {
  const at = typeof value === 'string' ? momentOf(value) : undefined
  return at === undefined ? '' : new Date(dayOfAnswer(at, zone) * 86_400_000).toISOString().slice(0, 10)
}

/** A local date and time in a zone, as `2026-03-01T09:30`, as a moment. */
export function momentFrom(text: string, zone: string): string | null {
  const clock = parseInstant(`${text.length === 16 ? `${text}:00` : text}Z`)
  if (clock === undefined) return null
  return new Date(instantOf(zoneOf(zone), clock) / 1000).toISOString()
}

/** A moment as the local date and time of a zone. */
export function momentShown(value: unknown, zone: string): string {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at === undefined ? '' : new Date(clockOf(zoneOf(zone), at) / 1000).toISOString().slice(0, 16)
}

/** The labels that are chosen after one is chosen or no longer chosen. Exclusive ones stand by themselves. */
export function toggleChoice(
  chosen: readonly string[],
  label: string,
  { isMultiple, isExclusive }: { isMultiple: boolean; isExclusive: (label: string) => boolean },
): string[] {
  if (chosen.includes(label)) return chosen.filter((each) => each !== label)
  if (!isMultiple || isExclusive(label)) return [label]
  return [...chosen.filter((each) => !isExclusive(each)), label]
}

/** A step of a scale as people write it: 0.3, where the computer adds up to 0.30000000000000004. */
export const stepAt = (min: number, step: number, at: number): number => Number((min + at * step).toPrecision(DIGITS))
