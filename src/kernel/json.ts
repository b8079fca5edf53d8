export type JsonObject = Record<string, unknown>

/** Whether a JSON value is an object, and neither null nor a list. */
export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Whether two JSON values are equal. The order of fields does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    for (let i = 0; i < a.length; i++) if (!isSame(a[i], b[i])) return false
    return true
  }
  if (Array.isArray(b)) return false
  const [left, right] = [a as Record<string, unknown>, b as Record<string, unknown>]
  let difference = 0
  for (const key in left) {
    if (!Object.hasOwn(right, key) || !isSame(left[key], right[key])) return false
    difference++
  }
  for (const _ in right) difference--
  return difference === 0
}

/**
 * JSON that is the same for the same content: keys are sorted, and null fields left out, since a field that was cleared
 * means the same as one that was never set.
 */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null)
  const fields = Object.entries(value as JsonObject)
    .filter(([, each]) => each !== null && each !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return `{${fields.map(([key, each]) => `${JSON.stringify(key)}:${canonicalJson(each)}`).join(',')}}`
}
