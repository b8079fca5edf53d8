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
