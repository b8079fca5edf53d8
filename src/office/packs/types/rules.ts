/** Values of the extended fields of packs, as pure functions. */
import { type Reason, reason } from '#kernel/refusals/reason'
import { instantText, isDay, parseInstant } from '#kernel/time'
import type { PackTypeRow } from './store'

type ExtendedField = PackTypeRow['extendedFields'][number]
export type ExtendedValue = string | number | boolean

/** What an extended field makes of a value: the value as it is stored, or what is wrong with it. */
export type CheckResult = { value: ExtendedValue } | { problem: Reason }

/** The most characters of a text. */
export const MOST_TEXT = 2000

const valid = (value: ExtendedValue): CheckResult => ({ value })
const invalid = (problem: Reason): CheckResult => ({ problem })

function moment(value: unknown): CheckResult {
  const at = typeof value === 'string' ? parseInstant(value) : undefined
  return at === undefined ? invalid(reason('notMoment')) : valid(instantText(at))
}

/** Checks a value, which is not null, by the type of its field. Moments are stored with six fractional digits. */
export const checks: Readonly<Record<ExtendedField['type'], (value: unknown) => CheckResult>> = {
  text: (value) =>
    typeof value !== 'string'
      ? invalid(reason('notText'))
      : value.length > MOST_TEXT
        ? invalid(reason('tooLong', { count: MOST_TEXT }))
        : valid(value),
  integer: (value) =>
    typeof value === 'number' && Number.isSafeInteger(value) ? valid(value) : invalid(reason('notWhole')),
  float: (value) => (typeof value === 'number' && Number.isFinite(value) ? valid(value) : invalid(reason('notNumber'))),
  date: (value) => (typeof value === 'string' && isDay(value) ? valid(value) : invalid(reason('notDay'))),
  datetime: moment,
  boolean: (value) => (typeof value === 'boolean' ? valid(value) : invalid(reason('notFlag'))),
}

/**
 * The values of a pack after a change: keys that are sent replace the value, null removes it, the others stay. The problems are
 * by key.
 */
export function mergeExtended(
  fields: readonly ExtendedField[],
  before: Readonly<Record<string, ExtendedValue>>,
  sent: Readonly<Record<string, unknown>>,
): { values: Record<string, ExtendedValue>; problems: Map<string, Reason> } {
  const byKey = new Map(fields.map((field) => [field.key, field]))
  const values = new Map(Object.entries(before))
  const problems = new Map<string, Reason>()
  for (const [key, value] of Object.entries(sent)) {
    const field = byKey.get(key)
    if (!field) problems.set(key, reason('noExtendedField'))
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
