/** Values of the extended fields of packs, as pure functions. */
import { instantText, isDay, parseInstant } from '#kernel/time'
import type { PackTypeRow } from './store'

type ExtendedField = PackTypeRow['extendedFields'][number]
export type ExtendedValue = string | number | boolean

/** What an extended field makes of a value: the value as it is stored, or what is wrong with it, as a sentence. */
export type CheckResult = { value: ExtendedValue } | { problem: string }

/** The most characters of a text. */
export const MOST_TEXT = 2000

const valid = (value: ExtendedValue): CheckResult => ({ value })
const invalid = (problem: string): CheckResult => ({ problem })

function moment(value: unknown): CheckResult {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at === undefined ? invalid('Must be a moment such as 2026-03-01T09:30:00.000000Z.') : valid(instantText(at))
}

/** Checks a value, which is not null, by the type of its field. Moments are stored with six fractional digits. */
export const checks: Readonly<Record<ExtendedField['type'], (value: unknown) => CheckResult>> = {
  text: (value) =>
    typeof value !== 'string'
      ? invalid('Must be text.')
      : value.length > MOST_TEXT
        ? invalid(`Must have at most ${MOST_TEXT} characters.`)
        : valid(value),
  integer: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) ? valid(value) : invalid('Must be a whole number.'),
  float: (value) => (typeof value === 'number' && Number.isFinite(value) ? valid(value) : invalid('Must be a number.')),
  date: (value) =>
    typeof value === 'string' && isDay(value) ? valid(value) : invalid('Must be a date such as 2026-03-01.'),
  datetime: moment,
  boolean: (value) => (typeof value === 'boolean' ? valid(value) : invalid('Must be true or false.')),
}

/**
 * The values of a pack after a change: keys that are sent replace the value, null removes it, the others stay. The problems are
 * by key.
 */
export function mergeExtended(
  fields: readonly ExtendedField[],
  before: Readonly<Record<string, ExtendedValue>>,
  sent: Readonly<Record<string, unknown>>,
): { values: Record<string, ExtendedValue>; problems: Map<string, string> } {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const values = new Map(Object.entries(before))
  const problems = new Map<string, string>()
  for (const [key, value] of Object.entries(sent)) {
    const field = byKey.get(key)
    if (!field) problems.set(key, 'The pack type has no such extended field.')
    else if (value === null) values.delete(key)
    else {
      const checked = checks[field.type](value)
      if ('problem' in checked) problems.set(key, checked.problem)
      else values.set(key, checked.value)
    }
  }
  return { values: Object.fromEntries(values), problems }
}

/** The keys that occur twice, ignoring case: a table with both would have two columns that few programs tell apart. */
export function repeatedKeys(fields: readonly { key: string }[]): string[] {
  const seen = new Set<string>()
  return fields.flatMap(({ key }) => {
    const folded = key.toLowerCase()
    if (seen.has(folded)) return [key]
    seen.add(folded)
    return []
  })
}

/** The columns of tables of packs, without the extended fields. */
const COLUMNS: readonly string[] = [
  ...['_id', 'packtype', 'name', 'batchnumber', 'expirydate', 'site', 'groups', 'state', 'participantid', 'assignedat'],
  ...['unitsreturned', 'createdat', 'receivedat'],
]

/** The header of an extended field in a table of packs: its key, or `extended.` and the key if another column is called so. */
export const headerOf = ({ key }: { key: string }): string =>
  COLUMNS.includes(key.toLowerCase()) ? `extended.${key}` : key
